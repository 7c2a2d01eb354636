"""A small shop."""

from typing import NamedTuple

LIMIT = 10
Prices = dict[str, float]


# What is sold:
# a name and a price.
class Item(NamedTuple):
    """One thing."""

    name: str
    price: float = 0.0

    @property
    def shown(self) -> str:
        """As printed."""
        return f"{self.name}: {self.price}"

    async def order(
        self,
        count: int = 1,
        *,
        note: str = "",
    ) -> None:
        def inner(x):
            return x

        await send(inner(count), note)


def total(items: list[Item]) -> float:
    return sum(item.price for item in items)
