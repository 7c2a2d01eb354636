module Shop where

import Data.List (sort)

data Item = Item
  { name :: String
  , price :: Double
  }

newtype Price = Price Double

type Prices = [Price]

class Seller a where
  sell :: a -> Bool

instance Seller Item where
  sell _ = True

-- | Adds.
total :: [Item] -> Double
total [] = 0
total (x : xs) =
  price x + total xs

limit :: Int
limit = 10
