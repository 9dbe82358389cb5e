import { desc, eq, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { refundRequests, withdrawals } from "@/db/schema/payments";
import { checkCode, consumeCode } from "@/lib/accounts/verification/check-code";
import { sendWithdrawalCode } from "@/lib/accounts/verification/send-verification-code";
import { queueMail } from "@/lib/notifications/queue-mail";
import { findOwnOrder, resolveOrderId } from "@/lib/orders/find-order";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { WITHDRAWAL_DAYS } from "@/lib/payments/refunds/rules-withdrawal";
import { audit } from "@/lib/platform/audit";
import type { Viewer } from "@/lib/platform/auth/session";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import type { WithdrawInput, WithdrawView } from "./contract";
import { isOrderEmail } from "./is-order-email";
import { type Declarant, proveDeclarations, recordProvedDeclaration } from "./open-declaration";
import { readWithdrawableLines, toWithdrawLine, type WithdrawableLine } from "./read-withdrawable-lines";
import { closeWithdrawn, refundUnits } from "./refund-units";
import { reviewWithdrawal, selectRequestedLines, sumReview } from "./review-withdrawal";
import { WITHDRAWAL_REVIEW_MINUTES, type WithdrawalReason } from "./rules";

/** Who withdraws: the owner by session, or a guest who verified the order's address. */
type WithdrawalAccess = {
  orderId: string;
  email: string;
  actor: string;
  token: string | null;
  ip?: string;
};

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
  const access = await authorize(viewer, input, ip);
  if (!access) return sendCode(input, locale, ip);
  if (input.confirm) return executeWithdrawal({ ...access, ip }, input, locale);
  return reviewWithdrawal(access, input, locale);
}

const toDeclarant = ({ orderId, email, token }: WithdrawalAccess): Declarant => ({
  orderId,
  email,
  isGuest: token !== null,
});

/** Returns null when the client sent an address without a code. */
async function authorize(viewer: Viewer, input: WithdrawInput, ip: string): Promise<WithdrawalAccess | null> {
  const orderId = await resolveOrderId(input.order_id);
  if (input.token !== undefined) return authorizeByToken(orderId, input.token);
  if (viewer.kind === "user") {
    const order = await findOwnOrder(viewer, orderId);
    if (order) return { orderId, email: order.email, actor: viewer.userId, token: null };
  }
  if (!input.email) throw new ShopError(viewer.kind === "user" ? "order_unknown" : "session_required");
  if (!input.code) return null;
  const codeId = await checkCode({ email: input.email, purpose: "withdraw", code: input.code, ip });
  if (!(await isOrderEmail(input.email, orderId))) throw new ShopError("order_unknown");
  await transaction((tx) => consumeCode(tx, codeId));
  const claims = { order: orderId, email: input.email, until: (await nowMs()) + REVIEW_MS };
  return { orderId, email: input.email, actor: "guest", token: createSignedToken("withdraw", claims) };
}

const REVIEW_MS = WITHDRAWAL_REVIEW_MINUTES * 60_000;

async function nowMs(): Promise<number> {
  const [row] = await db.execute<{ now: string }>(sql`select shop_now() as now`);
  return new Date(row!.now).getTime();
}

async function authorizeByToken(orderId: string, token: string): Promise<WithdrawalAccess> {
  const claims = verifySignedToken("withdraw", token);
  if (claims?.order !== orderId || Number(claims.until) <= (await nowMs()))
    throw new ShopError("link_invalid");
  return { orderId, email: String(claims.email), actor: "guest", token };
}

/** The response does not reveal whether the order exists; only its own address receives a code. */
async function sendCode({ order_id, email }: WithdrawInput, locale: Locale, ip: string) {
  const address = email ?? "";
  const { resend_after } = await sendWithdrawalCode(address, locale, ip, () =>
    resolveOrderId(order_id).then((orderId) => isOrderEmail(address, orderId)),
  );
  return { ...EMPTY_VIEW, step: "code_sent" as const, order_id, resend_after, email: address };
}

const EMPTY_VIEW = {
  token: null,
  resend_after: null,
  withdraw_until: null,
  lines: [],
  refund_amount: 0,
  review_amount: 0,
  country: null,
};

type RejectedLine = { order_product_id: string; reason: WithdrawalReason };

/**
 * Withdraws in one transaction; repeating it returns the first result. What the buyer's statement of another country would
 * change waits for staff, with its codes locked.
 */
async function executeWithdrawal(
  access: WithdrawalAccess,
  { order_product_ids: lineIds, country }: WithdrawInput,
  locale: Locale,
) {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, access.orderId);
    if (!order) throw new ShopError("order_unknown");
    await tx.execute(sql`
      select 1 from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${order.id} order by k.id for update of k`);
    const declaredAt = await proveDeclarations(tx, toDeclarant(access));
    const all = await readWithdrawableLines(tx, order.id, locale, { country, declaredAt });
    const lines = selectRequestedLines(all, lineIds);
    const withdrawn = lines.filter((line) => line.decision.units > 0);
    const linesForStaff = lines.filter((line) => line.review.units > 0);
    const view = { ...EMPTY_VIEW, step: "done" as const, order_id: order.id, token: access.token };
    const previous =
      withdrawn.length + linesForStaff.length === 0 ? await findLastWithdrawal(tx, order.id) : null;
    if (previous)
      return { ...view, refund_amount: toDecimal(previous.refundedCents), email: previous.email, lines: [] };
    for (const line of withdrawn) line.decision.amountCents = await refundUnits(tx, order, line, access);
    const refundedCents = withdrawn.reduce((sum, line) => sum + line.decision.amountCents, 0);
    if (country) for (const line of linesForStaff) await askStaff(tx, order, line, country);
    // Lists what cannot be withdrawn, requested or not, but not what the buyer left out.
    const rejected: RejectedLine[] = all
      .filter((line) => line.decision.reason !== "open")
      .filter((line) => lines.includes(line) || line.decision.units + line.review.units === 0)
      .map((line) => ({ order_product_id: line.id, reason: line.decision.reason }));
    await closeWithdrawn(tx, order, withdrawn);
    const result = { refundedCents, rejected, withdrawn, country, declaredAt };
    await recordWithdrawal(tx, order, access, result, locale);
    return {
      ...view,
      refund_amount: toDecimal(refundedCents),
      review_amount: sumReview(lines),
      country: all[0]?.country ?? null,
      email: access.email,
      lines: lines.map((line) => toWithdrawLine(line, locale)),
    };
  });
}

/** Puts the units that only one of the two countries allows to withdraw before staff (docs/product.md#82-withdrawal). */
async function askStaff(tx: Tx, order: LockedOrder, line: WithdrawableLine, country: string): Promise<void> {
  await tx.insert(refundRequests).values({
    id: newId("rrq"),
    orderLineId: line.id,
    userId: order.userId,
    amountCents: line.review.amountCents,
    statedCountry: country,
    answerBy: sql`shop_now() + make_interval(days => ${WITHDRAWAL_DAYS})`,
  });
}

async function findLastWithdrawal(tx: Tx, orderId: string) {
  const [last] = await tx
    .select({ refundedCents: withdrawals.refundedCents, email: withdrawals.email })
    .from(withdrawals)
    .where(eq(withdrawals.orderId, orderId))
    .orderBy(desc(withdrawals.createdAt), desc(withdrawals.id))
    .limit(1);
  return last ?? null;
}

type WithdrawalResult = {
  refundedCents: number;
  rejected: RejectedLine[];
  withdrawn: WithdrawableLine[];
  country: string | undefined;
  /** null: with this call */
  declaredAt: Date | null;
};

async function recordWithdrawal(
  tx: Tx,
  order: LockedOrder,
  access: WithdrawalAccess,
  { refundedCents, rejected, withdrawn, country, declaredAt }: WithdrawalResult,
  locale: Locale,
): Promise<void> {
  const id = newId("wdr");
  if (!declaredAt) await recordProvedDeclaration(tx, toDeclarant(access), locale);
  await tx
    .insert(withdrawals)
    .values({ id, orderId: order.id, email: access.email, refundedCents, refused: rejected });
  const detail = {
    withdrawalId: id,
    refundedCents,
    lines: withdrawn.map((line) => line.id),
    kept: rejected,
    ...(country && { statedCountry: country }),
  };
  await audit({ actor: access.actor, action: "order_withdrawn", subject: order.id, detail }, tx);
  await queueMail(tx, {
    event: "withdrawal-received",
    orderId: order.id,
    to: access.email,
    locale,
    refs: { withdrawalId: id, lineIds: withdrawn.map((line) => line.id).join(",") },
    dedupeKey: `withdrawal:${id}`,
  });
}
