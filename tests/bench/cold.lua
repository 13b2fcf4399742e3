-- Every request asks for a tile that nobody has asked for before. Arguments: the tile, and a seed; those
-- after it are used.
local tile, seed
init = function(args)
  tile, seed = args[1], tonumber(args[2])
end
request = function()
  seed = seed + 1
  return wrk.format("GET", tile .. ".png?seed=" .. seed)
end
