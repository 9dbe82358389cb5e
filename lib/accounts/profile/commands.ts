import { sql } from "drizzle-orm";
import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min";
import { db, type Tx, transaction } from "@/db/client";
import { queueSecurityNotice } from "@/lib/accounts/commands";
import { requireReauthentication } from "@/lib/accounts/reauthentication/queries";
import { maskEmail } from "@/lib/accounts/rules";
import { type LoginResult, toSignedIn } from "@/lib/accounts/sign-in/commands";
import { checkCode, consumeCode } from "@/lib/accounts/verification/commands";
import { reclaimEmail } from "@/lib/accounts/verification/commands-reclaim-email";
import { moveSubscriptions, moveWaitList } from "@/lib/notifications/subscriptions/commands-address";
import { startSession, type UserViewer } from "@/lib/platform/auth/session";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { serializeError } from "@/lib/platform/serialize-error";
import { invalidateReviewPages } from "@/lib/reviews/commands";
import type {
  PhoneView,
  UpdateEmailInput,
  UpdatePhoneInput,
  UpdateUsernameInput,
  UsernameView,
} from "./contract";

/**
 * Changes the account's email, verified by a `change_email` code (email/update, docs/product.md#72-accounts). Says
 * only after the verification that the address is taken; an unverified account without orders gives it up. Ends all
 * sessions; this one continues under a new id. Notifies both addresses. Orders keep their delivery email.
 * @throws ShopError reauthentication_required, code_wrong, code_expired, code_used_up, email_in_use
 */
export async function updateEmail(
  viewer: UserViewer,
  input: UpdateEmailInput,
  device: string,
): Promise<LoginResult> {
  await requireReauthentication(viewer);
  const { userId } = viewer;
  const { new_email: email, verification_code: code, verification_id: id } = input;
  const codeId = await checkCode({ email, purpose: "change_email", code, id: id || undefined, userId });
  const change = async (tx: Tx) => {
    // Locks accounts before codes, in the same order as account deletion.
    const had = await setEmail(tx, userId, email);
    await consumeCode(tx, codeId);
    await endSessionsWith(tx, viewer);
    if (had.email !== email) await tellBoth(tx, viewer, had, email);
    return startSession({ id: userId }, device, tx, viewer.sessionId);
  };
  // An unverified account that was registered in the meantime gives the address up in the second attempt.
  const session = await transaction(change)
    .catch((error) => (isUniqueViolation(error) ? transaction(change) : Promise.reject(error)))
    .catch(refuseTaken);
  return { answer: await toSignedIn(userId, session), cookie: session.cookie };
}

/** Translates the unique index's error when two users take one address at once. */
function refuseTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new ShopError("email_in_use") : error;
}

const isUniqueViolation = (error: unknown) => serializeError(error).code === "23505";

type Had = { id: string; email: string; proved: boolean };

/** Returns the previous address in lower case and whether it was verified. */
async function setEmail(tx: Tx, userId: string, email: string): Promise<Had> {
  // Locks both rows in id order, so that two users who swap addresses cannot deadlock.
  const rows = await tx.execute<Had>(sql`
    select id, lower(email) as email, email_verified_at is not null as proved from users
    where (id = ${userId} and deleted_at is null) or lower(email) = ${email} order by id for update`);
  const own = rows.find(({ id }) => id === userId);
  if (!own) throw new ShopError("session_ended");
  const holder = rows.find(({ id }) => id !== userId);
  if (holder) await reclaimEmail(tx, holder.id, userId);
  await tx.execute(sql`
    update users set email = ${email}, email_verified_at = shop_now() where id = ${userId}`);
  if (own.email === email) return own;
  const move = { userId, from: own.email, to: email };
  await moveWaitList(tx, move);
  // Subscriptions of an unverified address stay with that address.
  if (own.proved) await moveSubscriptions(tx, move);
  return own;
}

/** Ends all sessions of the user; throws when this session has already ended. */
async function endSessionsWith(tx: Tx, { userId, sessionId }: UserViewer): Promise<void> {
  const ended = await tx.execute<{ id: string }>(sql`
    update sessions set revoked_at = shop_now() where user_id = ${userId} and revoked_at is null returning id`);
  if (!ended.some(({ id }) => id === sessionId)) throw new ShopError("session_ended");
}

async function tellBoth(tx: Tx, { userId, locale }: UserViewer, had: Had, email: string): Promise<void> {
  // `unproved`: the address may belong to someone else, so its data is not erased with the account.
  const more = { address: maskEmail(email), ...(!had.proved && { unproved: 1 }) };
  await queueSecurityNotice(tx, { kind: "email_changed_old", to: had.email, locale, userId, more });
  await queueSecurityNotice(tx, { kind: "email_changed_new", to: email, locale, userId });
}

/** Sets the viewer's phone number, kept as E.164, or removes it (phone/update, docs/product.md#72-accounts). @throws ShopError phone_invalid */
export async function updatePhone(
  viewer: UserViewer,
  input: UpdatePhoneInput,
  locale: Locale,
): Promise<PhoneView> {
  const number = input.new_phone === "" ? null : phoneOf(input);
  if (number === undefined)
    throw new ShopError("phone_invalid", {
      issues: [{ path: "new_phone", message: errorMessage("phone_invalid", locale) }],
    });
  const [phone, country] = [number?.number ?? null, number ? countryOf(number, input) : null];
  await db.execute(
    sql`update users set phone = ${phone}, country_code = ${country} where id = ${viewer.userId}`,
  );
  return { phone, country_code: country };
}

const CALLING_CODE = /^\+?([1-9]\d{0,3})$/;

/** The country as sent where it fits the number, else the number's own country. */
function countryOf(number: PhoneNumber, { country_code }: UpdatePhoneInput): string | null {
  const given = country_code ?? "";
  const fits = CALLING_CODE.exec(given)?.[1] === number.countryCallingCode;
  return fits ? given : (number.country ?? null);
}

/** Parses a number with its own country code, or a national number of the given country ("JP", "+81"). */
function phoneOf({ new_phone, country_code }: UpdatePhoneInput): PhoneNumber | undefined {
  const text = new_phone.replace(/^00/, "+");
  const given = country_code?.toUpperCase() ?? "";
  const country: CountryCode | undefined = isSupportedCountry(given) ? given : undefined;
  const calling = CALLING_CODE.exec(given)?.[1];
  const number = parsePhoneNumberFromString(text, {
    defaultCountry: country,
    defaultCallingCode: country ? undefined : calling,
    extract: false,
  });
  if (!number?.isPossible()) return undefined;
  // Countries that share a calling code are told apart by the given country.
  if (country && !number.country) number.country = country;
  return number;
}

/**
 * Renames the viewer (username/update, docs/product.md#72-accounts).
 * @throws ShopError username_invalid
 */
export async function updateUsername(viewer: UserViewer, input: UpdateUsernameInput): Promise<UsernameView> {
  await transaction(async (tx) => {
    await tx.execute(sql`update users set username = ${input.new_username} where id = ${viewer.userId}`);
    await invalidateReviewPages(tx, viewer.userId);
  });
  return { username: input.new_username };
}
