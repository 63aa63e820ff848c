-- Page views for wrk: `wrk … URL -- BATCH [EXPECTED …]`.
--
-- BATCH is a file with all requests of one view. wrk writes it at once, counts the requests in it, and
-- takes one latency for it: from its first byte to the end of the last answer.
-- With EXPECTED, files with what each answer of a view is: every body is looked at, and counted.

local ffi = require("ffi")

-- wrk's own statistics (stats.h): Lua is offered no histogram that could be read in time.
ffi.cdef [[
  typedef struct { uint64_t count, limit, min, max; uint64_t data[]; } stats_t;
]]

local threads = {}

local function read(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  local batch = read(args[1])
  request = function() return batch end
  if args[2] then check_bodies(args) end
end

-- `seen` is a string, because that is what one thread can hand to another: one number for each expected
-- body, and the answers that were none of them.
function check_bodies(args)
  local place, counts, wrong = {}, {}, 0
  for i = 2, #args do
    place[read(args[i])] = i - 1
    counts[i - 1] = 0
  end
  response = function(status, _, body)
    local i = status == 200 and place[body]
    if i then counts[i] = counts[i] + 1 else wrong = wrong + 1 end
    seen = table.concat(counts, ",") .. "," .. wrong
  end
end

local function histogram(latency)
  local stats = ffi.cast("stats_t **", latency)[0]
  local cells = {}
  for i = 0, tonumber(stats.max) do -- min does not know what wrk adds later
    if stats.data[i] > 0 then
      cells[#cells + 1] = string.format("[%d,%d]", i, tonumber(stats.data[i]))
    end
  end
  return table.concat(cells, ",")
end

function done(summary, latency)
  local cpu = os.clock()
  local tallies = {}
  for _, thread in ipairs(threads) do
    local tally = thread:get("seen")
    if tally then tallies[#tallies + 1] = "[" .. tally .. "]" end
  end
  local errors = summary.errors
  print(string.format(
    '\n{"microseconds":%d,"answers":%d,"bytes":%.0f,"cpuSeconds":%f,' ..
    '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},"seen":[%s],"latencies":[%s]}',
    summary.duration, summary.requests, summary.bytes, cpu,
    errors.connect, errors.read, errors.write, errors.status, errors.timeout,
    table.concat(tallies, ","), histogram(latency)))
end
