-- Sends the requests of a file one after the other, from the beginning again when all were sent, and prints the figures as JSON.
local threads = {}
local requests = {}
used = 0

function setup(thread)
  table.insert(threads, thread)
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
  local sent = 0
  for _, thread in ipairs(threads) do
    sent = sent + thread:get('used')
  end
  print(string.format('{"perSecond":%.1f,"p50Ms":%.3f,"p99Ms":%.3f,"used":%d,"failed":%d}',
    summary.requests * 1e6 / summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    sent, errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
