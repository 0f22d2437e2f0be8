-- Makes a token worthless, and the same command only once.
-- KEYS: revoked, commands, changes, live (one hash tag)
-- ARGV: command key ('' for none), body digest, id, moment
-- Answers: {'revoked'} {'known'} {'repeated'} {'reused'}
local revoked, commands, changes, live = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local command, body, id, moment = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if command ~= '' then
  local known = redis.call('HGET', commands, command)
  if known then
    if string.match(known, '^(%x+) ') ~= body then return {'reused'} end
    return {'repeated'}
  end
end
if redis.call('HSETNX', revoked, id, moment) == 0 then return {'known'} end
if command ~= '' then
  redis.call('HSET', commands, command, body .. ' ' .. id)
end
redis.call('ZREM', live, id)
redis.call('INCR', changes)
return {'revoked'}
