import Foundation

let limit = 10

protocol Seller {
    func sell(name: String) -> Bool
}

struct Item: Seller {
    let name: String

    init(name: String) {
        self.name = name
    }

    func sell(name: String) -> Bool {
        return true
    }
}

enum Colour {
    case red
}

extension Item {
    static func empty() -> Item {
        return Item(name: "")
    }
}

typealias Prices = [String: Double]

final class Shop {
}

func total(_ items: [Item]) -> Double {
    return 0
}
