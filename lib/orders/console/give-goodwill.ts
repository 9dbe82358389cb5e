import { sql } from "drizzle-orm";
import { z } from "zod";
import { db, type Tx, transaction } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import type { GoodwillInput, GoodwillView } from "@/lib/orders/console/contract-goodwill";
import { GOODWILL_ASKED } from "@/lib/orders/console/rules";
import {
  checkGoodwill,
  findOrderNumber,
  type Goodwill,
  giveGoodwill as giveOfLine,
  sumGoodwill,
} from "@/lib/orders/refunds/give-goodwill";
import { requireShownLine } from "@/lib/orders/refunds/refund-versions";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { limitOf, permissionRule, rolesUpTo } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ApprovalNeeded, type ApprovedActions } from "@/lib/platform/console/approval";
import { lockSumOfDay } from "@/lib/platform/console/sum-of-day";
import { isShopError, ShopError } from "@/lib/platform/errors";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";

const PERMISSION = "refunds.goodwill";

/**
 * Returns part of a pass's price beyond the refund rule. Roles have limits for all gestures of one order together, so
 * that no one splits an amount; above $100 for one order, or by one person in a day, a second person whose role may
 * give as much decides.
 * @throws ApprovalNeeded; ShopError order_unknown, own_refund, amount_above_limit, revision_conflict, note_has_code,
 * and those of `checkGoodwill`
 */
export async function giveGoodwill(
  viewer: StaffViewer,
  orderId: string,
  input: GoodwillInput,
  locale: Locale,
): Promise<GoodwillView> {
  await requireNoCode(db, input.reason, { orderId });
  const goodwill: Goodwill = {
    lineId: input.order_product_id,
    amountCents: toCents(input.amount),
    refundedCents: toCents(input.refunded_amount),
    reason: input.reason,
  };
  await transaction(async (tx) => {
    const { order } = await checkGoodwill(tx, await lockOrder(tx, orderId), goodwill, locale);
    if (order.userId === viewer.userId) throw new ShopError("own_refund");
    await requireShownLine(tx, input, goodwill.lineId);
    const givenCents = await sumGoodwill(tx, order.id);
    const totalCents = goodwill.amountCents + givenCents;
    requireWithinLimit(viewer.staff.roles, { totalCents, givenCents }, locale);
    const limitAlone = permissionRule(PERMISSION).fourEyesAbove!;
    const givenToday = await lockSumOfDay(tx, viewer.userId, "goodwill_cents");
    if (Math.max(totalCents, givenToday + goodwill.amountCents) > limitAlone) {
      const number = await findOrderNumber(tx, order.id);
      const { lineId: line, amountCents, reason } = goodwill;
      throw new ApprovalNeeded({
        kind: "goodwill",
        payload: { orderId: order.id, ...goodwill },
        subject: `${number} · ${formatPrice(amountCents, DEFAULT_LOCALE)} · ${reason}`,
        concerns: order.userId,
        roles: rolesUpTo(PERMISSION, totalCents),
        // The order's timeline shows by the approval how it was decided.
        entry: { action: GOODWILL_ASKED, subject: order.id, detail: { line, amountCents, reason } },
      });
    }
    await giveOfLine(tx, order, goodwill, { actor: viewer.userId, locale });
  });
  return { order_id: orderId, order_product_id: input.order_product_id, amount: input.amount };
}

/** @throws ShopError amount_above_limit: these roles may not give an order as much, with what it got before */
function requireWithinLimit(
  roles: readonly string[],
  { totalCents, givenCents }: { totalCents: number; givenCents: number },
  locale: Locale,
): void {
  const limit = limitOf(roles, PERMISSION);
  if (totalCents <= limit) return;
  const [atMost, left] = [limit, Math.max(0, limit - givenCents)].map((cents) => formatPrice(cents, locale));
  throw new ShopError("amount_above_limit", { params: { limit: atMost!, left: left! } });
}

/** The roles that a person decides with: held for 72 hours, unless the person who asked decides alone. */
async function findDecidingRoles(
  tx: Tx,
  { askedBy, decidedBy }: { askedBy: string; decidedBy: string },
): Promise<string[]> {
  const rows = await tx.execute<{ role: string }>(sql`
    select r.role from staff_members m cross join unnest(m.roles) r(role)
    where m.user_id = ${decidedBy} and m.ended_at is null and (${askedBy === decidedBy} or has_held_role(m.user_id, r.role))`);
  return rows.map(({ role }) => role);
}

const Payload = z.object({
  orderId: z.string(),
  lineId: z.string(),
  amountCents: z.int(),
  refundedCents: z.int(),
  reason: z.string(),
});

/**
 * A second person has agreed. What has changed since then is checked again, also the sum of the order, to which gestures
 * may have been added on its other passes.
 * @throws ShopError payment_disputed; line_changed: something of the pass was returned meanwhile; amount_above_limit: the
 * role of who agrees may not give the order as much
 */
export const goodwillApprovals = {
  async goodwill(tx, payload, { askedBy, decidedBy }) {
    const { orderId, ...goodwill } = Payload.parse(payload);
    const people = { actor: decidedBy, askedBy, locale: DEFAULT_LOCALE };
    await giveOfLine(tx, await lockOrder(tx, orderId), goodwill, people).catch((error: unknown) => {
      if (!isShopError(error) || error.error === "payment_disputed") throw error;
      throw new ShopError("line_changed", { cause: error });
    });
    const totalCents = await sumGoodwill(tx, orderId);
    const givenCents = totalCents - goodwill.amountCents;
    const roles = await findDecidingRoles(tx, { askedBy, decidedBy });
    requireWithinLimit(roles, { totalCents, givenCents }, DEFAULT_LOCALE);
  },
} satisfies ApprovedActions;
