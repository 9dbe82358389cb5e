import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { resumeDelivery } from "@/lib/orders/disputes/resume-delivery";
import { refundWarnedOrder } from "@/lib/orders/fraud/refund-warned-order";
import { getDisputeCost } from "@/lib/orders/fraud/update-fraud-warning";
import { DISPUTED_SQL } from "@/lib/orders/refunds/refund-versions";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import { toCents, toDecimal } from "@/lib/platform/money";
import type {
  DecideWarningInput,
  FraudSettings,
  FraudSettingsInput,
  WarningDecided,
} from "./contract-warnings";
import { WARNING_JOINS, warningVersionSql } from "./list-console-warnings";

async function lockOpenWarning(
  tx: Tx,
  { userId }: StaffViewer,
  id: string,
  { version }: DecideWarningInput,
): Promise<LockedOrder> {
  const [found] = await tx.execute<{ orderId: string }>(
    sql`select order_id as "orderId" from fraud_warnings where id = ${id}`,
  );
  const order = found && (await lockOrder(tx, found.orderId));
  if (!order) throw new ShopError("warning_unknown");
  if (order.userId === userId) throw new ShopError("own_refund");
  const [row] = await tx.execute<{ decided: boolean; disputed: boolean }>(sql`
    select w.decided_at is not null as decided, ${DISPUTED_SQL} as disputed
    from fraud_warnings w join orders o on o.id = w.order_id where w.id = ${id} for update of w`);
  if (row!.decided) throw new ShopError("warning_decided");
  if (row!.disputed) throw new ShopError("payment_disputed");
  const from = sql`fraud_warnings w ${WARNING_JOINS} where w.id = ${id}`;
  await requireShownRow(tx, { version }, { version: warningVersionSql, from });
  return order;
}

const decide = (viewer: StaffViewer, id: string, input: DecideWarningInput, state: "refunded" | "released") =>
  transaction(async (tx): Promise<WarningDecided> => {
    await requireNoCode(tx, input.note);
    const order = await lockOpenWarning(tx, viewer, id, input);
    await tx.execute(sql`
      update fraud_warnings set state = ${state}, decided_at = shop_now(), decided_by = ${viewer.userId}, note = ${input.note}
      where id = ${id}`);
    const cents = state === "refunded" ? await refundWarnedOrder(tx, order, viewer.userId) : 0;
    if (state === "released") {
      await resumeDelivery(tx, order.id);
      await recordSales(tx, order.id);
    }
    const detail = { warning_id: id, state, amount: toDecimal(cents), note: input.note };
    await audit({ actor: viewer.userId, action: "fraud_warning.decided", subject: order.id, detail }, tx);
    return { warning_id: id, refunded_amount: toDecimal(cents) };
  });

/**
 * Refunds what is left of a suspected order and takes back its codes.
 * @throws ShopError warning_unknown, warning_decided, own_refund, payment_disputed, revision_conflict, note_has_code
 */
export const refundWarning = (viewer: StaffViewer, id: string, input: DecideWarningInput) =>
  decide(viewer, id, input, "refunded");

/** Lets a suspected sale stand: its codes are unlocked, and mailed if that was stopped. @throws ShopError as `refundWarning` */
export const releaseWarning = (viewer: StaffViewer, id: string, input: DecideWarningInput) =>
  decide(viewer, id, input, "released");

export const getFraudSettings = async (): Promise<FraudSettings> => ({
  dispute_cost: toDecimal(await getDisputeCost(db)),
});

/** Sets below which amount a suspected payment is refunded without a look. */
export async function setDisputeCost(
  { userId }: StaffViewer,
  { dispute_cost }: FraudSettingsInput,
): Promise<FraudSettings> {
  await transaction(async (tx) => {
    await tx.execute(sql`select 1 from fraud_settings for update`);
    const before = toDecimal(await getDisputeCost(tx));
    await tx.execute(sql`update fraud_settings set dispute_cost_cents = ${toCents(dispute_cost)}`);
    const detail = { before, after: dispute_cost };
    await audit({ actor: userId, action: "fraud_warning.cost_set", subject: "fraud_warnings", detail }, tx);
  });
  return getFraudSettings();
}
