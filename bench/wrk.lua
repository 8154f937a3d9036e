-- Sends the requests of a file one after the other, from the beginning again when all were sent, and prints the figures as JSON.
local thread
local requests = {}
used = 0

function setup(only)
  thread = only
end

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for request in file:read('*a'):gmatch('[^\1]+') do
    table.insert(requests, request)
  end
  file:close()
end

function request()
  used = used + 1
  return requests[(used - 1) % #requests + 1]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format('{"perSecond":%.1f,"p50Ms":%.3f,"p99Ms":%.3f,"used":%d,"failed":%d}',
    summary.requests * 1e6 / summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    thread:get('used'), errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
