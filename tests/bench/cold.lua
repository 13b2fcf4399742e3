-- Every request asks for a tile that nobody has asked for before: seeds from that of the argument on.
local seed = 0
init = function(args)
  seed = tonumber(args[1])
end
request = function()
  seed = seed + 1
  return wrk.format("GET", "/tile/3/2/5.png?seed=" .. seed)
end
