/** The usual time in milliseconds between two reads of something that changes on its own (docs/product.md#10-constants). */
export const POLLING_INTERVAL_MS = 30_000;
