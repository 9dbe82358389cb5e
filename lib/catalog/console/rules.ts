/** Stock of a product or plan is counted to this number. */
export const COUNTED_STOCK = 100;
