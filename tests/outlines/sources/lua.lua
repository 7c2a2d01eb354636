local LIMIT = 10

local Shop = {}

-- Opens it.
function Shop.open(name, ...)
  return name
end

function Shop:close()
end

local function total(items)
  local function add(a, b)
    return a + b
  end
  return add(items[1], items[2])
end

Shop.sell = function(item)
  return item
end
