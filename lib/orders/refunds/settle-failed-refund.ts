import { eq, sql } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { refunds } from "@/db/schema/payments";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { issueTaxDocuments } from "@/lib/orders/tax/issue-tax-documents";
import { postLedger } from "@/lib/payments/post-ledger";
import { audit } from "@/lib/platform/audit";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import { GIVEN_UP_SQL } from "./given-up-sql";
import { failedLeftSql, failedVersionSql } from "./refund-versions";

type Failed = { orderId: string; givenUp: boolean; leftCents: number; disputed: boolean };

/**
 * Records that staff have paid a failed refund by other means, such as a bank transfer. The provider still holds the
 * money, so the ledger takes it from `other_cash`. A settled refund is never sent again, and counts as returned.
 * @throws ShopError refund_unknown, refund_decided: not failed for good, or settled already; payment_disputed; own_refund;
 * revision_conflict
 */
export async function settleFailedRefund(
  actor: string,
  refundId: string,
  { note, shown }: { note: string; shown?: SeenVersion },
): Promise<{ orderId: string; amountCents: number }> {
  return transaction(async (tx) => {
    const [found] = await tx
      .select({ orderId: refunds.orderId })
      .from(refunds)
      .where(eq(refunds.id, refundId));
    const order = found && (await lockOrder(tx, found.orderId));
    if (!order) throw new ShopError("refund_unknown");
    if (order.userId === actor) throw new ShopError("own_refund");
    const [failed] = await tx.execute<Failed>(sql`
      select r.order_id as "orderId", r.state = 'failed' and ${GIVEN_UP_SQL} as "givenUp",
        ${failedLeftSql("r")} as "leftCents",
        exists (select from disputes d where d.order_id = r.order_id and d.is_open) as disputed
      from refunds r where r.id = ${refundId}`);
    if (!failed?.givenUp || failed.leftCents === 0) throw new ShopError("refund_decided");
    if (failed.disputed) throw new ShopError("payment_disputed");
    if (shown)
      await requireShownRow(tx, shown, {
        version: failedVersionSql("r"),
        from: sql`refunds r join orders o on o.id = r.order_id where r.id = ${refundId}`,
      });
    const { orderId, leftCents: amountCents } = failed;
    await tx
      .update(refunds)
      .set({ state: "settled", amountCents, updatedAt: shopNow })
      .where(eq(refunds.id, refundId));
    const transferId = `settled:${refundId}`;
    await postLedger(tx, { transferId, orderId, debit: "refunds", credit: "other_cash", amountCents });
    const detail = { refundId, amountCents, note, before: { state: "failed" }, after: { state: "settled" } };
    await audit({ actor, action: "refund.settled", subject: orderId, detail }, tx);
    await issueTaxDocuments(tx, orderId);
    return { orderId, amountCents };
  });
}
