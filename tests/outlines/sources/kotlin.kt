package shop

const val LIMIT = 10

interface Seller {
    fun sell(name: String): Boolean
}

data class Item(val name: String, val price: Double) : Seller {
    override fun sell(name: String): Boolean = true

    companion object {
        fun of(name: String) = Item(name, 0.0)
    }
}

object Registry {
    fun add(item: Item) {
    }
}

enum class Colour { RED, GREEN }

typealias Prices = Map<String, Double>

fun total(items: List<Item>): Double {
    return items.sumOf { it.price }
}
