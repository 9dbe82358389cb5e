import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { checkCode, consumeCode, sendWithdrawalCode } from "@/lib/accounts/verification/commands";
import { quarantineKeys, quarantineUnrevealedKeys, releaseReservedKeys } from "@/lib/delivery/commands";
import { queueMail } from "@/lib/notifications/commands";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/commands";
import { findOwnOrder } from "@/lib/orders/queries";
import { closeAfterRefund, openRefund } from "@/lib/orders/refunds/commands";
import { findRefundableLine } from "@/lib/orders/refunds/queries-requests";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/commands";
import { audit } from "@/lib/platform/audit";
import type { Viewer } from "@/lib/platform/auth/session";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import type { WithdrawInput, WithdrawView } from "./contract";
import {
  isOrderOf,
  readWithdrawal,
  reviewWithdrawal,
  selectRequestedLines,
  type WithdrawableLine,
  withdrawLine,
} from "./queries";
import { WITHDRAWAL_REVIEW_MINUTES, type WithdrawalReason } from "./rules";

/** Who withdraws: the owner by session, or the person who verified the order's address. */
type Entry = { orderId: string; email: string; actor: string; token: string | null };

/**
 * The statutory withdrawal (`/order/withdraw`, docs/product.md#82-withdrawal); reachable without login. Without
 * `confirm` it only shows what would be refunded.
 * @throws ShopError session_required (neither session nor email), order_unknown, link_invalid, code_wrong,
 * code_expired, code_used_up, code_just_sent, too_many_codes
 */
export async function withdrawFromOrder(
  viewer: Viewer,
  input: WithdrawInput,
  locale: Locale,
  ip: string,
): Promise<WithdrawView> {
  const entry = await enter(viewer, input, ip);
  if (!entry) return sendCode(input, locale, ip);
  const act = input.confirm ? execute : reviewWithdrawal;
  return act(entry, input.order_product_ids, locale);
}

/** Returns null for an address without a code. */
async function enter(viewer: Viewer, input: WithdrawInput, ip: string): Promise<Entry | null> {
  const orderId = input.order_id;
  if (input.token !== undefined) return enterByToken(orderId, input.token);
  const own = viewer.kind === "user" ? await findOwnOrder(viewer, orderId) : null;
  if (own && viewer.kind === "user") return { orderId, email: own.email, actor: viewer.userId, token: null };
  if (!input.email) throw new ShopError(viewer.kind === "user" ? "order_unknown" : "session_required");
  if (!input.code) return null;
  const codeId = await checkCode({ email: input.email, purpose: "withdraw", code: input.code, ip });
  if (!(await isOrderOf(input.email, orderId))) throw new ShopError("order_unknown");
  await transaction((tx) => consumeCode(tx, codeId));
  const facts = { order: orderId, email: input.email, until: (await nowMs()) + REVIEW_MS };
  return { orderId, email: input.email, actor: "guest", token: createSignedToken("withdraw", facts) };
}

const REVIEW_MS = WITHDRAWAL_REVIEW_MINUTES * 60_000;

async function nowMs(): Promise<number> {
  const [row] = await db.execute<{ now: string }>(sql`select shop_now() as now`);
  return new Date(row!.now).getTime();
}

async function enterByToken(orderId: string, token: string): Promise<Entry> {
  const facts = verifySignedToken("withdraw", token);
  if (facts?.order !== orderId || Number(facts.until) <= (await nowMs())) throw new ShopError("link_invalid");
  return { orderId, email: String(facts.email), actor: "guest", token };
}

/** The answer is the same whether such an order exists; only its own address receives a code. */
async function sendCode(
  { order_id, email }: WithdrawInput,
  locale: Locale,
  ip: string,
): Promise<WithdrawView> {
  const address = email ?? "";
  const { resend_after } = await sendWithdrawalCode(address, locale, ip, () => isOrderOf(address, order_id));
  return { ...NOTHING, step: "code_sent", order_id, resend_after, email: address };
}

const NOTHING = { token: null, resend_after: null, withdraw_until: null, lines: [], refund_amount: 0 };

type Kept = { order_product_id: string; reason: WithdrawalReason };

/** Runs in one transaction; repeating it returns the first result. */
async function execute(entry: Entry, wanted: string[] | undefined, locale: Locale): Promise<WithdrawView> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, entry.orderId);
    if (!order) throw new ShopError("order_unknown");
    await tx.execute(sql`
      select 1 from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${order.id} order by k.id for update of k`);
    const all = await readWithdrawal(tx, order.id, locale);
    const lines = selectRequestedLines(all, wanted);
    const going = lines.filter((line) => line.decision.units > 0);
    const view = { ...NOTHING, step: "done" as const, order_id: order.id, token: entry.token };
    const before = going.length === 0 ? await lastWithdrawal(tx, order.id) : null;
    if (before)
      return { ...view, refund_amount: toDecimal(before.refunded_cents), email: before.email, lines: [] };
    for (const line of going) line.decision.amountCents = await giveBackUnits(tx, order, line, entry.actor);
    const refundedCents = going.reduce((sum, line) => sum + line.decision.amountCents, 0);
    // Names what cannot be withdrawn, requested or not, but not what the buyer left out.
    const kept: Kept[] = all
      .filter((line) => line.decision.reason !== "open")
      .filter((line) => lines.includes(line) || line.decision.units === 0)
      .map((line) => ({ order_product_id: line.id, reason: line.decision.reason }));
    if (going.length > 0) await closeAfterRefund(tx, order, "withdrawn");
    await enqueueAssignWaiting(
      tx,
      going.map((line) => line.plan_id),
    );
    await writeDown(tx, order, entry, { refundedCents, kept, going }, locale);
    return {
      ...view,
      refund_amount: toDecimal(refundedCents),
      email: entry.email,
      lines: lines.map((line) => withdrawLine(line, locale)),
    };
  });
}

async function lastWithdrawal(tx: Tx, orderId: string) {
  const [row] = await tx.execute<{ refunded_cents: number; email: string }>(sql`
    select refunded_cents, email from withdrawals where order_id = ${orderId} order by created_at desc, id desc limit 1`);
  return row ?? null;
}

/** Locks the returned codes for good, releases reserved keys and queues the refund; returns the amount in cents. */
async function giveBackUnits(
  tx: Tx,
  order: LockedOrder,
  line: WithdrawableLine,
  actor: string,
): Promise<number> {
  const { units } = line.decision;
  const whole = units === line.left_units;
  const now = await findRefundableLine(tx, order.id, line.id);
  const amountCents = Math.min(line.decision.amountCents, now?.capturedCents ?? 0);
  await releaseReservedKeys(tx, [line.id]);
  if (whole) await quarantineKeys(tx, line.id, actor);
  else await quarantineUnrevealedKeys(tx, unseenToGo(line), actor);
  await tx.execute(sql`
    update order_lines set state = ${whole ? "refunded" : "assigned"}, deliver_by = null,
      refunded_quantity = refunded_quantity + ${units}, refunded_cents = refunded_cents + ${amountCents} where id = ${line.id}`);
  if (whole && line.request === "asked")
    await tx.execute(sql`
      update refund_requests set state = 'approved', decided_at = shop_now(), decided_by = 'withdrawal'
      where order_line_id = ${line.id} and state = 'asked'`);
  if (amountCents > 0) await openRefund(tx, order, { lineId: line.id, amountCents, reason: "withdrawn" });
  return amountCents;
}

/** The unrevealed codes of a partly withdrawn line; none when their withdrawal period has ended. */
const unseenToGo = (line: WithdrawableLine): string[] =>
  line.decision.reason === "over" ? [] : line.keys.filter((key) => !key.shown).map((key) => key.id);

type Outcome = { refundedCents: number; kept: Kept[]; going: WithdrawableLine[] };

/** Stores the record, the audit entry and the confirmation email. */
async function writeDown(
  tx: Tx,
  order: LockedOrder,
  entry: Entry,
  { refundedCents, kept, going }: Outcome,
  locale: Locale,
): Promise<void> {
  const id = newId("wdr");
  await tx.execute(sql`
    insert into withdrawals (id, order_id, email, refunded_cents, refused)
    values (${id}, ${order.id}, ${entry.email}, ${refundedCents}, ${JSON.stringify(kept)}::jsonb)`);
  const detail = { withdrawalId: id, refundedCents, lines: going.map((line) => line.id), kept };
  await audit({ actor: entry.actor, action: "order_withdrawn", subject: order.id, detail }, tx);
  await queueMail(tx, {
    event: "withdrawal-received",
    to: entry.email,
    locale,
    refs: { withdrawalId: id, lineIds: going.map((line) => line.id).join(",") },
    dedupeKey: `withdrawal:${id}`,
  });
}
