package shop

trait Seller {
  def sell(name: String): Boolean
}

case class Item(name: String, price: Double) extends Seller {
  def sell(name: String): Boolean = {
    true
  }
}

object Registry {
  val Limit = 10
  def total(items: List[Item]): Double =
    items.map(_.price).sum
}

type Prices = Map[String, Double]
