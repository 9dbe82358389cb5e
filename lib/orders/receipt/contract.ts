import type { BillingAddress } from "@/lib/accounts/billing/contract";
import type { OrderDetail } from "@/lib/orders/contract";

export type Receipt = {
  order: OrderDetail;
  /** the buyer's saved addresses, the default first */
  addresses: BillingAddress[];
  /** the payment method as the provider names it; null for a free order or when unknown */
  method: string | null;
  seller: { name: string; address: string[]; taxId: string | null; email: string; site: string };
};
