-- Notes what has become of an attempt, if the webhook is still there and the noting process still has the lease.
-- KEYS: webhooks, lease, its cursors, waiting deliveries, attempts, how many there have been, dead letters (one hash tag)
-- ARGV: id, holder of the lease, track, session, version that is dealt with ('' to leave the cursor),
--       what waits ('' if nothing does any more), attempt ('' for none), how many attempts are kept,
--       message id, dead letter ('' for none), '1' if the message was delivered
-- Answers: 'noted', 'gone' (no such webhook), 'lost' (another process has the lease)
local webhooks, lease, cursors, waiting, attempts, count, dead = unpack(KEYS)
local id, holder, track, session, version, pending, attempt, kept, message, letter, delivered = unpack(ARGV)

if redis.call('GET', lease) ~= holder then return 'lost' end
if redis.call('HEXISTS', webhooks, id) == 0 then return 'gone' end
if version ~= '' and tonumber(version) > tonumber(redis.call('HGET', cursors, session) or '-1') then
  redis.call('HSET', cursors, session, version)
end
if pending == '' then redis.call('HDEL', waiting, track) else redis.call('HSET', waiting, track, pending) end
if attempt ~= '' then
  redis.call('LPUSH', attempts, redis.call('INCR', count) .. ' ' .. attempt)
  redis.call('LTRIM', attempts, 0, tonumber(kept) - 1)
end
if letter ~= '' then redis.call('HSET', dead, message, letter) end
if delivered == '1' then redis.call('HDEL', dead, message) end
return 'noted'
