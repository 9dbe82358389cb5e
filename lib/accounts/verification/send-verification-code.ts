import { and, eq, isNull, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { users, verificationCodes } from "@/db/schema/accounts";
import type { CodeSent, SendCodeInput } from "@/lib/accounts/contract";
import {
  CODE_MINUTES,
  CODE_RESEND_SECONDS,
  CODES_PER_DAY,
  CODES_PER_HOUR,
  type CodePurpose,
} from "@/lib/accounts/rules";
import { queueMail } from "@/lib/notifications/queue-mail";
import {
  isWithinOwnerCodeBudget,
  isWithinSenderBudget,
  type MailSender,
  takeMailBudget,
  takeRecipientBudget,
  toMailSender,
} from "@/lib/notifications/take-mail-budget";
import { requireUser, type Viewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { codeHash, networkHash } from "./check-code";
import { deriveVerificationCode } from "./find-verification-mail";

/** Minimum response time in milliseconds, equal for known and unknown addresses. */
const MIN_RESPONSE_MS = 80;
/** Purposes that need a signed-in user. */
const SIGNED_IN_PURPOSES: CodePurpose[] = ["change_email", "order_email", "bind_phone"];
/** Purposes for which only an address that the shop knows receives an email. */
const OWNER_PURPOSES: CodePurpose[] = ["reset_password", "withdraw"];

/**
 * Mails a verification code (docs/product.md#72-accounts). The response is the same for addresses with and without an
 * account. Where only an account's owner could use the code, other addresses receive no email, and a sender over its
 * limit learns nothing.
 * @throws ShopError session_required, code_just_sent, too_many_codes (both with retryAfterSeconds)
 */
export async function sendVerificationCode(
  viewer: Viewer,
  { email, verification_type }: SendCodeInput,
  ip?: string,
): Promise<CodeSent> {
  const userId = SIGNED_IN_PURPOSES.includes(verification_type) ? requireUser(viewer).userId : null;
  const code = {
    email,
    purpose: verification_type,
    userId,
    locale: viewer.locale,
    ip: userId ? undefined : ip, // the session identifies the requester
    sender: isOwnVerifiedEmail(viewer, email) ? null : toMailSender(viewer, ip),
  };
  return withMinimumTime((id) => transaction((tx) => issueCode(tx, { id, ...code })));
}

const isOwnVerifiedEmail = (viewer: Viewer, email: string): boolean =>
  viewer.kind === "user" && viewer.emailVerified && viewer.email.toLowerCase() === email;

/**
 * Mails the code of a withdrawal when `hasOrder` confirms the address. Response, time and limits are equal otherwise.
 * @throws ShopError code_just_sent, too_many_codes (both with retryAfterSeconds)
 */
export async function sendWithdrawalCode(
  email: string,
  locale: Viewer["locale"],
  ip: string,
  hasOrder: () => Promise<boolean>,
): Promise<CodeSent> {
  return withMinimumTime(async (id) => {
    const silent = !(await hasOrder());
    await transaction((tx) =>
      issueCode(tx, { id, email, purpose: "withdraw", userId: null, locale, ip, silent, sender: { ip } }),
    );
  });
}

async function withMinimumTime(issue: (id: string) => Promise<void>): Promise<CodeSent> {
  const startedAt = performance.now();
  const id = newId("vc");
  try {
    await issue(id);
  } finally {
    const remainingMs = MIN_RESPONSE_MS - (performance.now() - startedAt);
    if (remainingMs > 0) await new Promise((resolve) => setTimeout(resolve, remainingMs));
  }
  return { verification_id: id, resend_after: CODE_RESEND_SECONDS, expires_in: CODE_MINUTES * 60 };
}

type NewCode = {
  id: string;
  email: string;
  purpose: CodePurpose;
  userId: string | null;
  locale: Viewer["locale"];
  ip: string | undefined;
  /** Whose budget the email uses; null for the sender's own verified address. */
  sender: MailSender | null;
  /** Counts as sent, but no email is queued. */
  silent?: boolean;
};

async function issueCode(tx: Tx, code: NewCode): Promise<void> {
  const { id, email, purpose, userId, locale, ip, sender, silent } = code;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`code:${email}`}))`);
  await rejectTooManyCodes(tx, email, purpose);
  const isForOwner = OWNER_PURPOSES.includes(purpose);
  if (sender && isForOwner) {
    // The sender's limit comes first, so that one who is above it uses nothing of the recipient's.
    if (await isWithinOwnerCodeBudget(tx, sender)) await takeRecipientBudget(tx, email, "too_many_codes");
  } else if (sender) await takeMailBudget(tx, sender, email, "too_many_codes");
  await tx.insert(verificationCodes).values({
    id,
    email,
    purpose,
    userId,
    codeHash: codeHash(id, deriveVerificationCode(id)),
    requesterNetwork: networkHash(ip),
    expiresAt: sql`shop_now() + make_interval(mins => ${CODE_MINUTES})`,
  });
  if (silent || (purpose === "reset_password" && !(await hasAccount(tx, email)))) return;
  if (sender && isForOwner) {
    const verified = await isVerifiedEmail(tx, email);
    if (!(await isWithinSenderBudget(tx, sender, { verified }))) {
      log.warn({ purpose, verified }, "verification code not sent: its sender is over the limit");
      return;
    }
  }
  await queueMail(tx, {
    event: "verification-code",
    to: email,
    locale,
    refs: { codeId: id },
    dedupeKey: `code:${id}`,
  });
}

/** Limits codes: 60 s between two codes of a kind, 5 an hour and 10 a day for one address (docs/product.md#72-accounts). */
async function rejectTooManyCodes(tx: Tx, email: string, purpose: CodePurpose): Promise<void> {
  const [row] = await tx.execute<{ resend_wait: number; limit_wait: number }>(sql`
    with sent as (
      select purpose, extract(epoch from shop_now() - created_at) as age from verification_codes
      where lower(email) = ${email} and created_at > shop_now() - interval '24 hours')
    select
      coalesce(ceil(${CODE_RESEND_SECONDS} - min(age) filter (where purpose = ${purpose})), 0)::int as resend_wait,
      ceil(greatest(0,
        case when count(*) filter (where age < 3600) >= ${CODES_PER_HOUR} then 3600 - max(age) filter (where age < 3600) end,
        case when count(*) >= ${CODES_PER_DAY} then 86400 - max(age) end))::int as limit_wait
    from sent`);
  const { resend_wait, limit_wait } = row!;
  const retryAfterSeconds = Math.max(resend_wait, limit_wait);
  if (retryAfterSeconds <= 0) return;
  const error = limit_wait > resend_wait ? "too_many_codes" : "code_just_sent";
  throw new ShopError(error, { params: { retryAfterSeconds } });
}

const hasAccount = async (tx: Tx, email: string): Promise<boolean> =>
  (await tx.$count(users, and(eq(sql`lower(${users.email})`, email), isNull(users.deletedAt)))) > 0;

/** True if someone has proved the address: as an account's own, or as a delivery address. */
async function isVerifiedEmail(tx: Tx, email: string): Promise<boolean> {
  const rows = await tx.execute(sql`
    select 1 from users where lower(email) = ${email} and email_verified_at is not null and deleted_at is null
    union all
    select 1 from verified_emails where lower(email) = ${email} limit 1`);
  return rows.length > 0;
}
