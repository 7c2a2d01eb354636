defmodule Shop.Item do
  @limit 10

  defstruct [:name, :price]

  @doc "Sells."
  def sell(item, count \\ 1) do
    item
  end

  defp hidden(x), do: x

  defmacro log(message) do
    message
  end
end

defprotocol Seller do
  def sell(x)
end
