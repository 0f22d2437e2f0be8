-- Appends events to a session's stream: all of them or nothing, and the same command only once.
-- KEYS: stream, commands, outbox, index, summaries (one hash tag)
-- ARGV: session, expected version, number of events, now (ms), summary ('' to leave it), command key ('' for none),
--       body digest, status, number of due deals, the due deals, then public and sealed bytes of each event
-- Answers: {'appended', version} {'conflict', version} {'repeated', status, version, session} {'reused'}
local stream, commands, outbox, index, summaries = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local session, expected, count, now, summary = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local command, body, status, due = ARGV[6], ARGV[7], ARGV[8], tonumber(ARGV[9])

if command ~= '' then
  local known = redis.call('HGET', commands, command)
  if known then
    local was, answered, version, of = string.match(known, '^(%x+) (%d+) (%d+) (.+)$')
    if was ~= body then return {'reused'} end
    return {'repeated', tonumber(answered), tonumber(version), of}
  end
end

local version = redis.call('XLEN', stream)
if version ~= expected then return {'conflict', version} end

local at = 9 + due
for n = 1, count do
  local id = string.format('%d-0', version + n)
  local public, sealed = ARGV[at + 2 * n - 1], ARGV[at + 2 * n]
  if sealed == '' then
    redis.call('XADD', stream, id, 'p', public)
  else
    redis.call('XADD', stream, id, 'p', public, 's', sealed)
  end
end
version = version + count

if command ~= '' then
  redis.call('HSET', commands, command, string.format('%s %s %d %s', body, status, version, session))
end
for n = 1, due do
  redis.call('ZADD', outbox, 'NX', now, session .. ' ' .. ARGV[9 + n])
end
if summary ~= '' then
  redis.call('HSET', summaries, session, summary)
  redis.call('ZADD', index, 0, session)
end
return {'appended', version}
