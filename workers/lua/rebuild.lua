-- Puts a ledger made anew in the place of the one that is there, if the log is still what it was made from.
-- KEYS: ledger, stream (one hash tag)
-- ARGV: version of the log, then the bytes of each entry
-- Answers: 'rebuilt', or 'behind' (the log has gone on)
local ledger, stream = KEYS[1], KEYS[2]
if redis.call('XLEN', stream) ~= tonumber(ARGV[1]) then return 'behind' end
redis.call('DEL', ledger)
for n = 2, #ARGV do redis.call('RPUSH', ledger, ARGV[n]) end
return 'rebuilt'
