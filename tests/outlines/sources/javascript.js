import fs from "fs";

const LIMIT = 10;

/** Opens a shop. */
export class Shop extends Base {
  #items = [];

  constructor(name) {
    super(name);
  }

  add(item) {
    this.#items.push(item);
  }

  onClick = (event) => {
    this.add(event.item);
  };
}

export function total(items, { tax = 0.2 } = {}) {
  return items.reduce((sum, item) => sum + item.price, 0);
}

export const sorted = (items) =>
  [...items].sort();

function* ids() {
  yield 1;
}

Shop.prototype.close = function () {
  return fs;
};
