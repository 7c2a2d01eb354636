import 'dart:io';

const limit = 10;

abstract class Seller {
  bool sell(String name);
}

class Item extends Base implements Seller {
  final String name;

  Item(this.name);

  @override
  bool sell(String name) {
    return true;
  }

  int get size => 1;
}

mixin Named {
}

enum Colour { red, green }

extension Sums on List<int> {
}

typedef Price = double;

double total(List<Item> items) {
  return 0;
}
