-- Takes, renews or (for 0 ms) gives up the lease of the one process that sends, unless another holds it.
-- KEYS: lease
-- ARGV: holder, milliseconds
-- Answers: 1 if it is the holder's now, else 0
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
  return 1
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
