-- Appends events to a session's stream: all of them or nothing, and the same command only once.
-- KEYS: stream, checkpoints, commands, outbox, index, summaries, people, contested
--       (one hash tag)
-- ARGV: session, expected version, expected head, number of events, now (ms), summary ('' to leave it),
--       command key ('' for none), body digest, status, names ('' to leave them), since when it is
--       contested ('' to leave it, 0 if it is not), number of due versions, these,
--       number of checkpoints, these, then public part, what opens its seals, and digest of each event
-- Answers: {'appended', version} {'conflict', version} {'repeated', status, version, session} {'reused'}
local stream, checkpoints, commands, outbox = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local index, summaries, people, contested = KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local session, expected, head, count = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local now, summary, command, body, status, names = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local since = ARGV[11]

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
if version > 0 then
  -- The same number of events is not the same events: a store may have been put back, and have gone on otherwise.
  local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1][2]
  if last[4] ~= head then return {'conflict', version} end
end

local due = tonumber(ARGV[12])
local signed = tonumber(ARGV[13 + due])
local at = 13 + due + signed
for n = 1, count do
  local id = string.format('%d-0', version + n)
  local public, beside, digest = ARGV[at + 3 * n - 2], ARGV[at + 3 * n - 1], ARGV[at + 3 * n]
  if beside == '' then
    redis.call('XADD', stream, id, 'p', public, 'h', digest)
  else
    redis.call('XADD', stream, id, 'p', public, 'h', digest, 's', beside)
  end
end
version = version + count

if command ~= '' then
  redis.call('HSET', commands, command, string.format('%s %s %d %s', body, status, version, session))
end
for n = 1, due do
  redis.call('ZADD', outbox, 'NX', now, session .. ' ' .. ARGV[12 + n])
end
for n = 1, signed do
  redis.call('RPUSH', checkpoints, ARGV[13 + due + n])
end
if since == '0' then
  redis.call('ZREM', contested, session)
elseif since ~= '' then
  redis.call('ZADD', contested, since, session)
end
if names ~= '' then
  redis.call('HSET', people, session, names)
end
if summary ~= '' then
  redis.call('HSET', summaries, session, summary)
  redis.call('ZADD', index, 0, session)
end
return {'appended', version}
