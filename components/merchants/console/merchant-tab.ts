/** The parts of a merchant's page; `sales` has its own page. */
export const MERCHANT_TABS = ["overview", "sales", "team", "products", "trade", "history"] as const;
export type MerchantTab = (typeof MERCHANT_TABS)[number];
export const isMerchantTab = (text: string): text is MerchantTab => MERCHANT_TABS.some((tab) => tab === text);
