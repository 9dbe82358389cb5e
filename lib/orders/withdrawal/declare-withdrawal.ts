import { sql } from "drizzle-orm";
import { type Db, type Tx, transaction } from "@/db/client";
import { sendWithdrawalCode } from "@/lib/accounts/verification/send-verification-code";
import { queueMail } from "@/lib/notifications/queue-mail";
import { isWithinMailBudget, toMailSender } from "@/lib/notifications/take-mail-budget";
import { findOwnOrder, resolveOrderId } from "@/lib/orders/find-order";
import { emailIdentity } from "@/lib/platform/auth/email-identity";
import type { Viewer } from "@/lib/platform/auth/session";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { isShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { ipCounter } from "@/lib/platform/rate-limit";
import type { Declared, DeclareInput } from "./contract";
import { isOrderEmail } from "./is-order-email";
import { DECLARED_WORDS, RECEIPTS_PER_ADDRESS, RECEIPTS_PER_NETWORK } from "./rules-declaration";
import { wordsSql } from "./words-sql";

type Recorded = { id: string; declared_at: string; last_at: string; times: number };

/**
 * Records a declaration of withdrawal and queues its receipt (docs/product.md#82-withdrawal). It locks nothing and moves
 * no money: `withdrawFromOrder` does, for a buyer who proves that the order is theirs. The answer is the same whether the
 * order exists or not.
 */
export async function declareWithdrawal(
  viewer: Viewer,
  input: DeclareInput,
  locale: Locale,
  ip: string,
): Promise<Declared> {
  const orderId = await resolveOrderId(input.order_id);
  const isOwn = viewer.kind === "user" && (await findOwnOrder(viewer, orderId)) !== null;
  const isKnown = isOwn || (await isOrderEmail(input.email, orderId));
  const { recorded, isMailed } = await transaction(async (tx) => {
    const recorded = await record(tx, { ...input, orderId: isKnown ? orderId : null }, locale);
    return { recorded, isMailed: await mailReceipt(tx, viewer, recorded, input.email, locale, ip) };
  });
  return {
    declaration_id: recorded.id,
    declared_at: instant(recorded.declared_at),
    received_at: instant(recorded.last_at),
    times: recorded.times,
    receipt: createSignedToken("withdrawal-receipt", { id: recorded.id, nth: recorded.times }),
    receipt_mailed: isMailed,
    ...(isOwn
      ? { proof: "session", resend_after: null }
      : { proof: "code", resend_after: await sendCode(input.email, orderId, locale, ip) }),
  };
}

/** Adds the words to the open declaration for this order and address, or begins one. */
async function record(
  tx: Db,
  { order_id, email, name, passes, orderId }: DeclareInput & { orderId: string | null },
  locale: Locale,
): Promise<Recorded> {
  const [row] = await tx.execute<Recorded>(sql`
    insert into withdrawal_declarations as d (id, order_ref, email, words, order_id)
    values (${newId("wdc")}, ${order_id}, ${email}, ${wordsSql({ name, passes, locale })}, ${orderId})
    on conflict (order_ref, email) where proved_at is null and closed_at is null do update set
      words = case when jsonb_array_length(d.words) < ${DECLARED_WORDS} then d.words || excluded.words else d.words end,
      times = d.times + 1, last_at = shop_now(), order_id = coalesce(d.order_id, excluded.order_id)
    returning id, declared_at, last_at, times`);
  return row!;
}

/** Queues the receipt within the day's limits, and beyond an own verified address within the mail budget. */
async function mailReceipt(
  tx: Tx,
  viewer: Viewer,
  { id, times }: Recorded,
  to: string,
  locale: Locale,
  ip: string,
): Promise<boolean> {
  const isVerified = viewer.kind === "user" && viewer.emailVerified && viewer.email.toLowerCase() === to;
  const day = 24 * 60 * 60;
  const counters = [
    {
      name: "withdrawal-receipt",
      who: emailIdentity(to),
      limit: RECEIPTS_PER_ADDRESS,
      seconds: day,
    },
    ipCounter("withdrawal-receipt", ip, RECEIPTS_PER_NETWORK, day),
  ];
  if (!isVerified && !(await isWithinMailBudget(tx, toMailSender(viewer, ip), to, counters))) return false;
  await queueMail(tx, {
    event: "withdrawal-declared",
    to,
    locale,
    refs: { declarationId: id, nth: times },
    dedupeKey: `withdrawal-declared:${id}:${times}`,
  });
  return true;
}

/** Seconds until a code can be asked for again; also when none was sent because of a limit. */
async function sendCode(email: string, orderId: string, locale: Locale, ip: string): Promise<number> {
  try {
    return (await sendWithdrawalCode(email, locale, ip, () => isOrderEmail(email, orderId))).resend_after;
  } catch (error) {
    if (!isShopError(error, "code_just_sent") && !isShopError(error, "too_many_codes")) throw error;
    return Number(error.params?.retryAfterSeconds ?? 0);
  }
}
