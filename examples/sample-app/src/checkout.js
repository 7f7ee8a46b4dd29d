function priceOf(item) {
  if (typeof item.price !== 'number') {
    throw new TypeError(`${item.name} has no price`);
  }
  return item.price;
}

export function validateCheckout(cart) {
  if (cart.items.length === 0) throw new Error('the cart is empty');
  return cart.total(priceOf);
}
