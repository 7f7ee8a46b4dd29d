// A small shop that fails the way shops fail: one item in the cart has no price.
import { Cart } from './cart.js';
import { validateCheckout } from './checkout.js';

async function placeOrder(items) {
  const cart = new Cart();
  for (const item of items) cart.add(item);
  await Promise.resolve();
  return validateCheckout(cart);
}

placeOrder([{ name: 'kettle', price: 39 }, { name: 'teapot' }]);
