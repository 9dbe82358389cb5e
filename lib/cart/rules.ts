/** Maximum lines of a cart and of an order. */
export const MAX_CART_LINES = 30;
