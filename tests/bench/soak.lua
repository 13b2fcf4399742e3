-- A mix of requests as a public tile server gets them, for soak.sh: tiles that many ask for, tiles that
-- nobody has asked for before, values, revalidations, mistakes, probes. SOAK_SEED makes each run another.
local seed = tonumber(os.getenv("SOAK_SEED") or "1")
math.randomseed(seed)

local kinds = { "perlin", "simplex", "value", "white" }
local small, large = { 16, 32, 64, 64, 128 }, { 256, 256, 512 }
local formats = { "png", "png", "png", "json", "bin", "npy", "r16" }
local wrong = { "/tile/3/9/9.png", "/tile/3/2/05.png", "/tile/3/2/5.png?seed=x", "/tile/3/2/5.jpg", "/nope", "/%" }
local pages = { "/health/live", "/health/ready", "/", "/params", "/favicon.ico", "/verify" }

local function one_of(list)
  return list[math.random(#list)]
end

local function tile(number, size)
  return string.format("/tile/8/%d/%d.%s?noise=%s&octaves=%d&seed=%d&size=%d",
    number % 256, math.floor(number / 256) % 256, one_of(formats), kinds[number % #kinds + 1], number % 4 + 1,
    number, size)
end

local function new_number()
  return seed * 1048576 + math.random(1048575)
end

-- Share of the requests out of 1000, and the target; field is sent beside it.
local mix = {
  { 550, function() return string.format("/tile/6/%d/%d.png", math.random(0, 15), math.random(0, 15)) end },
  { 150, function() return tile(new_number(), one_of(small)) end },
  { 20, function() return tile(new_number(), one_of(large)) end },
  { 50, function() return "/sample?x=0.5&y=0.25&dx=0.01&nx=" .. math.random(256) .. "&seed=" .. new_number() end },
  -- Of tiles that are not in the cache: wrk waits for a body as long as the Content-Length of a cached one's 304.
  { 100, function() return tile(new_number(), 512) end, "*" },
  { 80, function() return one_of(wrong) end },
  { 50, function() return one_of(pages) end },
}

request = function()
  local draw = math.random(1000)
  for _, row in ipairs(mix) do
    draw = draw - row[1]
    if draw <= 0 then
      local fields = {}
      if row[3] then fields["If-None-Match"] = row[3] end
      if math.random(2) == 1 then fields["Accept-Encoding"] = "gzip" end
      return wrk.format("GET", row[2](), fields)
    end
  end
end

-- For soak.sh: answers that are neither what was asked for nor a mistake's.
local threads = {}
bad = 0
setup = function(thread)
  table.insert(threads, thread)
end
response = function(status)
  if status ~= 200 and status ~= 304 and status ~= 400 and status ~= 404 then bad = bad + 1 end
end
done = function(summary)
  local others = 0
  for _, thread in ipairs(threads) do others = others + thread:get("bad") end
  local errors = summary.errors
  print(string.format("soak %d %d %d", summary.requests, others,
    errors.connect + errors.read + errors.write + errors.timeout))
end
