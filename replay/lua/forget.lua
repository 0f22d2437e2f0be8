-- Forgets a player's name in one step of a walk over a shard's sessions.
-- KEYS: people. ARGV: cursor, name
-- Answers: the next cursor ('0' at the end), then the sessions in which the name was
local people, cursor, name = KEYS[1], ARGV[1], ARGV[2]
local step = redis.call('HSCAN', people, cursor, 'COUNT', 500)
local answer = {step[1]}
for n = 1, #step[2], 2 do
  local session, names, found = step[2][n], cjson.decode(step[2][n + 1]), false
  for seat = 1, #names do
    if names[seat] == name then
      names[seat], found = cjson.null, true
    end
  end
  if found then
    redis.call('HSET', people, session, cjson.encode(names))
    answer[#answer + 1] = session
  end
end
return answer
