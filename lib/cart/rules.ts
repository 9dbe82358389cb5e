/** Lines of one cart, and so of one order. */
export const MAX_CART_LINES = 30;
