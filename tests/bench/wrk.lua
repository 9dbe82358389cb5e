-- The paths after `--` are requested in turn, from many address groups. The result is one line of JSON (tests/bench/load.ts).
local requests, current = {}, 0

local ADDRESSES = 1000

local function headersFrom(address)
  local headers = {}
  for name, value in pairs(wrk.headers) do
    headers[name] = value
  end
  headers["X-Forwarded-For"] = string.format("10.%d.%d.7", math.floor(address / 250), address % 250)
  return headers
end

function init(arguments)
  local count = math.ceil(ADDRESSES / #arguments) * #arguments
  for index = 1, count do
    local path = arguments[(index - 1) % #arguments + 1]
    requests[index] = wrk.format("GET", path, headersFrom(index % ADDRESSES))
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
