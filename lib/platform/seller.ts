import { env } from "./env";
import { supportAddress } from "./support-address";

/** Who sells, as receipts, invoices, emails and the seller page name it. Not configured parts are null or empty. */
export type Seller = {
  name: string;
  address: string[];
  taxId: string | null;
  registration: string | null;
  representative: string | null;
  phone: string | null;
  email: string;
  site: string;
  /** the tax that prices include; null: none is shown */
  tax: { name: string; percent: number } | null;
};

/** The seller by configuration (docs/operations.md). */
export function sellerIdentity(): Seller {
  const { SELLER_NAME, SELLER_ADDRESS, SELLER_TAX_ID, APP_NAME, APP_URL, ...rest } = env();
  const { SELLER_REGISTRATION, SELLER_REPRESENTATIVE, SELLER_PHONE, TAX_PERCENT, TAX_NAME } = rest;
  return {
    name: SELLER_NAME ?? APP_NAME,
    address: (SELLER_ADDRESS ?? "").split("|").flatMap((line) => line.trim() || []),
    taxId: SELLER_TAX_ID ?? null,
    registration: SELLER_REGISTRATION ?? null,
    representative: SELLER_REPRESENTATIVE ?? null,
    phone: SELLER_PHONE ?? null,
    email: supportAddress(),
    site: new URL(APP_URL).host,
    tax: TAX_PERCENT === undefined ? null : { name: TAX_NAME, percent: TAX_PERCENT },
  };
}

/** The names of the shop, which no one else may have. */
export const shopNames = (): string[] => [env().APP_NAME, sellerIdentity().name];
