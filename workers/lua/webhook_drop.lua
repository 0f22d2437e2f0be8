-- Drops a webhook with all that was kept for it.
-- KEYS: webhooks, then every key of that webhook (one hash tag)
-- ARGV: id
-- Answers: 1 if there was such a webhook, else 0
local there = redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', unpack(KEYS, 2))
return there
