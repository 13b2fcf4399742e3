-- What a server meets: kinds, formats and sizes mixed, a few of them asked for often, and mistakes.
local kinds = { "perlin", "value", "white", "perlin&t=0.5", "perlin&fractal=ridged" }
local formats = { "png", "png", "png", "json", "bin", "npy", "r16" }
local sizes = { 16, 64, 128, 256, 256, 512 }
math.randomseed(1)
local function any(list) return list[math.random(#list)] end

request = function()
  local seed = math.random() < 0.5 and math.random(50) or math.random(1000000000)
  local size = math.random() < 0.01 and 0 or any(sizes) -- 0 is a mistake
  return wrk.format("GET", string.format("/tile/4/%d/%d.%s?noise=%s&size=%d&seed=%d",
    math.random(0, 15), math.random(0, 15), any(formats), any(kinds), size, seed))
end
