-- Every request asks for a tile that nobody has asked for before.
local seed = 0
request = function()
  seed = seed + 1
  return wrk.format("GET", "/tile/3/2/5.png?seed=" .. seed)
end
