import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { payments } from "@/db/schema/payments";
import { listBillingAddresses } from "@/lib/accounts/billing/list-billing-addresses";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import { sellerIdentity } from "@/lib/platform/seller";
import type { Receipt } from "./contract";
import { findOrder } from "./find-order";

/** The receipt of one of the viewer's orders; null for an unknown or unpaid order. */
export async function findReceipt(
  viewer: UserViewer,
  orderId: string,
  locale: Locale,
): Promise<Receipt | null> {
  const order = await findOrder(viewer, orderId, locale);
  if (!order?.paid_at) return null;
  const [{ addresses }, [payment]] = await Promise.all([
    listBillingAddresses(viewer),
    db
      .select({ method: payments.method })
      .from(payments)
      .where(and(eq(payments.orderId, order.order_id), eq(payments.state, "succeeded")))
      .limit(1),
  ]);
  return { order, addresses, method: payment?.method ?? null, seller: sellerIdentity() };
}
