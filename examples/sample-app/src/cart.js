export class Cart {
  #items = [];

  add(item) {
    this.#items.push(item);
  }

  get items() {
    return this.#items;
  }

  total(priceOf) {
    return this.#items.reduce((sum, item) => sum + priceOf(item), 0);
  }
}
