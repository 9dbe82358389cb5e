import type { MerchantRole } from "@/lib/merchants/rules";

/** Members of two merchants of the demo, whose products are those of their vendors in the catalogue. */
export const DEMO_SELLERS: readonly { email: string; role: MerchantRole; merchant: string }[] = [
  { email: "demo-kettle-owner@passlane.example", role: "owner", merchant: "kettle-row-software" },
  { email: "demo-kettle-member@passlane.example", role: "member", merchant: "kettle-row-software" },
  { email: "demo-tolkstra-owner@passlane.example", role: "owner", merchant: "tolkstra" },
  { email: "demo-tolkstra-member@passlane.example", role: "member", merchant: "tolkstra" },
];

/** Public, as the demo account's: these accounts are created in the embedded database of a demo only. */
export const DEMO_SELLER_PASSWORD = "passlane-seller-1";

/** The names of the demo's merchants, which a start without their products uses. */
export const DEMO_MERCHANT_NAMES: Readonly<Record<string, string>> = {
  "kettle-row-software": "Kettle Row Software",
  tolkstra: "Tolkstra",
};
