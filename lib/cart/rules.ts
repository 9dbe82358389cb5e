/** Maximum lines of a cart and of an order. */
export const MAX_CART_LINES = 30;

/** An order counts little stock, because reserving the keys decides whether there is enough. */
export const STOCK_COUNTED_FOR_ORDER = 10;
