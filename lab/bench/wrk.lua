-- The paths after `--` are requested in turn, from many address groups and by 200 agents. The result is one line of JSON
-- (lab/bench/load.ts).
local requests, current = {}, 0

local ADDRESSES = 1000

-- Phones request the pages for phones, because the shop redirects them from the others.
local PHONES = {
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/%d.5 Mobile/15E148 Safari/604.1",
}
local COMPUTERS = {
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/%d.1 Safari/605.1.15",
  "Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/140.0",
}

local function agentFor(path, index)
  local agents = path:find("/mobile", 1, true) and PHONES or COMPUTERS
  return agents[index % #agents + 1]:format(100 + index % 100)
end

local function headersFrom(address, path)
  local headers = { ["User-Agent"] = agentFor(path, address) }
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
    requests[index] = wrk.format("GET", path, headersFrom(index % ADDRESSES, path))
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
