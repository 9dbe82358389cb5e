import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { shopNow, type Tx, transaction } from "@/db/client";
import { merchantApplications } from "@/db/schema/merchants";
import { queueMail } from "@/lib/notifications/commands";
import { type MailSender, takeMailBudget } from "@/lib/notifications/commands-budget";
import { audit } from "@/lib/platform/audit";
import { newId } from "@/lib/platform/crypto/ids";
import { errorMessage } from "@/lib/platform/error-messages";
import { type ErrorName, type FieldIssue, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ApplicationView, RegisterBusinessInput } from "./contract";
import { type ApplicationState, normalizeProductUrl } from "./rules";

/**
 * Files a merchant application (`/business/register`) and confirms it by email; staff decide. An address has one open
 * or approved application.
 * @throws ShopError product_url_invalid, phone_invalid, application_exists, too_many_requests
 */
export async function registerBusiness(
  input: RegisterBusinessInput,
  source: Readonly<Record<string, string>>,
  locale: Locale,
  sender: MailSender = {},
): Promise<ApplicationView> {
  const { productUrl, phoneNum } = validate(input, locale);
  return transaction(async (tx) => {
    const id = newId("mer");
    const [row] = await tx
      .insert(merchantApplications)
      .values({ id, email: input.email, productUrl, phoneNum, locale, source })
      .onConflictDoNothing({ target: merchantApplications.email, where: sql`state <> 'refused'` })
      .returning({ id: merchantApplications.id });
    if (!row) throw new ShopError("application_exists");
    await takeMailBudget(tx, sender, input.email);
    await queueMail(tx, {
      event: "application-received",
      to: input.email,
      locale,
      refs: { applicationId: id },
      dedupeKey: `application-received:${id}`,
    });
    return { application_id: id, state: "received" as const };
  });
}

/** Deletes the applications of addresses (in lower case) of a deleted account; approved ones stay. */
export async function deleteApplications(tx: Tx, emails: readonly string[]): Promise<void> {
  await tx
    .delete(merchantApplications)
    .where(and(ne(merchantApplications.state, "approved"), inArray(merchantApplications.email, emails)));
}

/** Validates and normalises the fields; the error reports all invalid ones. */
function validate({ productUrl, phoneNum }: RegisterBusinessInput, locale: Locale) {
  const address = normalizeProductUrl(productUrl);
  const phone = parsePhoneNumberFromString(phoneNum.replace(/^00/, "+"));
  const issues: FieldIssue[] = [];
  const addIssue = (path: string, name: ErrorName) =>
    issues.push({ path, message: errorMessage(name, locale) });
  if (!address) addIssue("productUrl", "product_url_invalid");
  if (!phone?.isPossible()) addIssue("phoneNum", "phone_invalid");
  if (!address || !phone?.isPossible())
    throw new ShopError(address ? "phone_invalid" : "product_url_invalid", { issues });
  return { productUrl: address, phoneNum: phone.number };
}

export type ApplicationDecision = {
  state: "approved" | "refused";
  /** The deciding staff member: `staff:mara`. */
  decidedBy: string;
  /** A note for the applicant; the reason of a refusal. */
  note?: string;
};

/** `decided`: by this call. `already`: decided before; `state` is the result. */
export type ApplicationResult = { outcome: "decided" | "already"; state: ApplicationState; email: string };

/** Decides an application (docs/product.md#813-merchants) and mails the applicant, once. Null when there is none. */
export async function decideApplication(
  applicationId: string,
  { state, decidedBy, note }: ApplicationDecision,
): Promise<ApplicationResult | null> {
  return transaction(async (tx) => {
    const isApplication = eq(merchantApplications.id, applicationId);
    const [application] = await tx.select().from(merchantApplications).where(isApplication).for("update");
    if (!application) return null;
    const { email, locale } = application;
    if (application.state !== "received") return { outcome: "already", state: application.state, email };
    await tx
      .update(merchantApplications)
      .set({ state, decidedAt: shopNow, decidedBy, note: note ?? null })
      .where(isApplication);
    const event = `application-${state}` as const;
    const refs = { applicationId };
    await queueMail(tx, { event, to: email, locale, refs, dedupeKey: `${event}:${applicationId}` });
    const detail = { ...refs, ...(note && { note }) };
    await audit({ actor: decidedBy, action: `application_${state}`, subject: applicationId, detail }, tx);
    return { outcome: "decided", state, email };
  });
}
