-- The paths after `--` are requested in turn. The result is one line of JSON (tests/bench/load.ts).
local requests, current = {}, 0

function init(arguments)
  for index, path in ipairs(arguments) do
    requests[index] = wrk.format("GET", path)
  end
end

function request()
  current = current % #requests + 1
  return requests[current]
end

function done(summary, latency, _)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format(
    '{"requests":%d,"failures":%d,"seconds":%f,"p50Ms":%f}\n',
    summary.requests, failures, summary.duration / 1e6, latency:percentile(50) / 1000))
end
