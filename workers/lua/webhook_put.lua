-- Makes or changes a webhook if it is still as its changer saw it, the same command only once; may ask for a redelivery.
-- KEYS: webhooks, its commands, its waiting deliveries (one hash tag)
-- ARGV: id, its bytes as seen ('' for none), its new bytes, command key ('' for none), body digest, what to remember,
--       track to put among the waiting ('' for none), its bytes
-- Answers: {'done'}, {'conflict'}, {'repeated', what was remembered}, {'reused'}
local webhooks, commands, waiting = KEYS[1], KEYS[2], KEYS[3]
local id, before, after, command, body, result, track, pending = unpack(ARGV)

if command ~= '' then
  local known = redis.call('HGET', commands, command)
  if known then
    local was, answered = string.match(known, '^(%x+) (.*)$')
    if was ~= body then return {'reused'} end
    return {'repeated', answered}
  end
end
if (redis.call('HGET', webhooks, id) or '') ~= before then return {'conflict'} end
redis.call('HSET', webhooks, id, after)
if command ~= '' then redis.call('HSET', commands, command, body .. ' ' .. result) end
if track ~= '' then redis.call('HSET', waiting, track, pending) end
return {'done'}
