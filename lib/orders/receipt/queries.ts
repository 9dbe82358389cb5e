import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { payments } from "@/db/schema/payments";
import { listBillingAddresses } from "@/lib/accounts/billing/queries";
import type { Receipt } from "@/lib/orders/contract";
import { findOrder } from "@/lib/orders/queries";
import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import type { Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";

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
      .where(and(eq(payments.orderId, orderId), eq(payments.state, "succeeded")))
      .limit(1),
  ]);
  return { order, addresses, method: payment?.method ?? null, seller: readSeller() };
}

function readSeller(): Receipt["seller"] {
  const { SELLER_NAME, SELLER_ADDRESS, SELLER_TAX_ID, APP_NAME, APP_URL } = env();
  return {
    name: SELLER_NAME ?? APP_NAME,
    address: (SELLER_ADDRESS ?? "").split("|").flatMap((line) => line.trim() || []),
    taxId: SELLER_TAX_ID ?? null,
    email: supportAddress(),
    site: new URL(APP_URL).host,
  };
}
