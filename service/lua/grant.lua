-- Keeps a token's grant under its digest, and the same command only once.
-- KEYS: tokens, ids, commands, changes, live, then the lists that it goes into (one hash tag)
-- ARGV: command key ('' for none), body digest, id, digest, grant, now (s), expiry (s, 'inf' for never),
--       most live tokens of one maker (0 for any number)
-- Answers: {'made'} {'repeated', id} {'reused'} {'full'}
local tokens, ids, commands, changes, live = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local command, body, id, digest, grant = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local now, expiry, most = ARGV[6], ARGV[7], tonumber(ARGV[8])

if command ~= '' then
  local known = redis.call('HGET', commands, command)
  if known then
    local was, of = string.match(known, '^(%x+) (.+)$')
    if was ~= body then return {'reused'} end
    return {'repeated', of}
  end
end
redis.call('ZREMRANGEBYSCORE', live, '-inf', now)
if most > 0 and redis.call('ZCARD', live) >= most then return {'full'} end

redis.call('HSET', tokens, digest, grant)
redis.call('HSET', ids, id, digest)
redis.call('ZADD', live, expiry, id)
for n = 6, #KEYS do
  redis.call('ZADD', KEYS[n], 0, id)
end
if command ~= '' then
  redis.call('HSET', commands, command, body .. ' ' .. id)
end
-- A process may have looked for the token before it was made.
redis.call('INCR', changes)
return {'made'}
