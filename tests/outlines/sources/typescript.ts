export interface Item {
  name: string;
  price(): number;
}

export type Price = number | string;

enum Colour {
  Red,
  Green,
}

namespace Shops {
  export function open(): void {}
}

abstract class Shop<T extends Item> implements Iterable<T> {
  private items: T[] = [];

  abstract close(): void;

  @logged
  add(item: T): this {
    return this;
  }
}

export const LIMIT: number = 10;

export async function total(items: Item[]): Promise<number> {
  return 0;
}
