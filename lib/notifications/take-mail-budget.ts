import { type Tx, transaction } from "@/db/client";
import { emailIdentity } from "@/lib/platform/auth/email-identity";
import type { Viewer } from "@/lib/platform/auth/session";
import { isShopError } from "@/lib/platform/errors";
import { type Client, type Counter, takeRateLimit, toCounters } from "@/lib/platform/rate-limit";
import { UNVERIFIED_MAILS_OF_SENDER, UNVERIFIED_MAILS_TO_RECIPIENT, VERIFIED_MAILS_OF_SENDER } from "./rules";

const NAME = "unverified-mail";

/** Who causes an email: the account, if signed in, and the client's address. */
export type MailSender = Client;

export const toMailSender = (viewer: Viewer, ip: string | undefined): MailSender => ({
  ip,
  userId: viewer.kind === "user" ? viewer.userId : undefined,
});

/**
 * Counts an email to an address that no one has verified, in the transaction that queues it: first for the sender, so
 * that one who is above the limit uses nothing of the recipient's, then for the recipient (docs/product.md#814-emails).
 * The caller rolls back when it throws.
 * @throws ShopError `error`, by default too_many_requests (with retryAfterSeconds)
 */
export async function takeMailBudget(
  tx: Tx,
  sender: MailSender,
  to: string,
  error: "too_many_requests" | "too_many_codes" = "too_many_requests",
): Promise<void> {
  await takeRateLimit(toCounters(UNVERIFIED_MAILS_OF_SENDER, NAME, sender), { within: tx, error });
  await takeRecipientBudget(tx, to, error);
}

/**
 * Counts an email for its recipient only. For codes that only an address's owner can use: the refusal is the same whether
 * the address is known or not.
 * @throws ShopError `error` (with retryAfterSeconds)
 */
export async function takeRecipientBudget(
  tx: Tx,
  to: string,
  error: "too_many_requests" | "too_many_codes",
): Promise<void> {
  const who = emailIdentity(to);
  const counters = UNVERIFIED_MAILS_TO_RECIPIENT.map((limit) => ({
    ...limit,
    name: `${NAME}:recipient`,
    who,
  }));
  await takeRateLimit(counters, { within: tx, error });
}

/**
 * Like `takeMailBudget`, with further counters of the caller; false, and nothing is counted, above a limit. For emails
 * that a call leaves out without an error.
 */
export async function isWithinMailBudget(
  tx: Tx,
  sender: MailSender,
  to: string,
  counters: Counter[] = [],
): Promise<boolean> {
  return isWithin(tx, async (savepoint) => {
    await takeRateLimit(counters, { within: savepoint });
    await takeMailBudget(savepoint, sender, to);
  });
}

/**
 * Counts an email for its sender only: for a verified address separately, so that unverified ones do not block its
 * owner. False, and nothing is counted, above a limit: the caller then leaves the email out, because an error would
 * reveal that the address is known.
 */
export async function isWithinSenderBudget(
  tx: Tx,
  sender: MailSender,
  to: { verified: boolean },
): Promise<boolean> {
  const counters = to.verified
    ? toCounters(VERIFIED_MAILS_OF_SENDER, "verified-mail", sender)
    : toCounters(UNVERIFIED_MAILS_OF_SENDER, NAME, sender);
  return isWithin(tx, (savepoint) => takeRateLimit(counters, { within: savepoint }));
}

/**
 * Counts a request of a code that only an address's owner can use, for its sender. False, and nothing is counted, above
 * the limit: the request then uses nothing of the recipient's, so that one sender cannot use up the limits of many
 * mailboxes. Independent of the address, so that it reveals nothing about it.
 */
export async function isWithinOwnerCodeBudget(tx: Tx, sender: MailSender): Promise<boolean> {
  const counters = toCounters(UNVERIFIED_MAILS_OF_SENDER, "owner-code", sender);
  return isWithin(tx, (savepoint) => takeRateLimit(counters, { within: savepoint }));
}

async function isWithin(tx: Tx, take: (savepoint: Tx) => Promise<unknown>): Promise<boolean> {
  try {
    await transaction(take, { within: tx });
    return true;
  } catch (error) {
    if (isShopError(error, "too_many_requests")) return false;
    throw error;
  }
}
