-- Sends the requests of an attack in turn and counts the responses by status (lab/faults/abuse-load.ts).
-- Arguments: a file with one path a line, the method, a file with the body or "-", the number of clients' address groups.
local requests, current, threads = {}, 0, {}
-- Milliseconds after a response: the attacker runs on the cores that the shop needs, and a refusal costs it more than the shop.
local PAUSE = 10
counts = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(arguments)
  local body
  if arguments[3] ~= "-" then
    local file = io.open(arguments[3])
    body = file:read("*a")
    file:close()
  end
  local addresses, index = tonumber(arguments[4]), 0
  for path in io.lines(arguments[1]) do
    local headers = {}
    for name, value in pairs(wrk.headers) do headers[name] = value end
    local address = index % addresses
    headers["X-Forwarded-For"] = string.format("198.%d.%d.1", 18 + math.floor(address / 256), address % 256)
    requests[#requests + 1] = wrk.format(arguments[2], path, headers, body)
    index = index + 1
  end
end

function request()
  current = current % #requests + 1
  return requests[current]
end

function delay()
  return PAUSE
end

function response(status)
  counts[status] = (counts[status] or 0) + 1
end

function done(_, _, _)
  local parts = {}
  for status, count in pairs(threads[1]:get("counts")) do
    parts[#parts + 1] = string.format('"%d":%d', status, count)
  end
  io.write("{" .. table.concat(parts, ",") .. "}\n")
end
