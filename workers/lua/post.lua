-- Posts one ledger entry: only if it is the next one, and only once; and takes its deal out of the outbox.
-- KEYS: ledger, outbox (one hash tag)
-- ARGV: number of the entry, its bytes, the outbox member that it answers
-- Answers: 'posted'; 'known' (it is there already); 'gap' (one before it is missing); 'differs' (another one is there)
local ledger, outbox = KEYS[1], KEYS[2]
local number, entry, due = tonumber(ARGV[1]), ARGV[2], ARGV[3]

local length = redis.call('LLEN', ledger)
if number > length + 1 then return 'gap' end
if number <= length then
  if redis.call('LINDEX', ledger, number - 1) ~= entry then return 'differs' end
  redis.call('ZREM', outbox, due)
  return 'known'
end
redis.call('RPUSH', ledger, entry)
redis.call('ZREM', outbox, due)
return 'posted'
