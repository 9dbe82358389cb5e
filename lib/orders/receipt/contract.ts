import type { BillingAddress } from "@/lib/accounts/billing/contract";
import type { OrderDetail } from "@/lib/orders/contract";

/** What the receipt of a paid order says. */
export type Receipt = {
  order: OrderDetail;
  /** the buyer's stored addresses, the default first */
  addresses: BillingAddress[];
  /** what it was paid with, in the provider's word; null for a free order, or where the provider does not say */
  method: string | null;
  seller: { name: string; address: string[]; taxId: string | null; email: string; site: string };
};
