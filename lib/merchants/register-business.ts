import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { merchantApplications } from "@/db/schema/merchants";
import { queueMail } from "@/lib/notifications/queue-mail";
import { type MailSender, takeMailBudget } from "@/lib/notifications/take-mail-budget";
import { newId } from "@/lib/platform/crypto/ids";
import { errorMessage } from "@/lib/platform/error-messages";
import { type ErrorName, type FieldIssue, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { parsePhone } from "@/lib/platform/phone";
import type { ApplicationView, RegisterBusinessInput } from "./contract";
import { normalizeProductUrl } from "./rules";

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

/** Validates and normalises the fields; the error reports all invalid ones. */
function validate({ productUrl, phoneNum }: RegisterBusinessInput, locale: Locale) {
  const address = normalizeProductUrl(productUrl);
  const phone = parsePhone(phoneNum, locale);
  const issues: FieldIssue[] = [];
  const addIssue = (path: string, name: ErrorName) =>
    issues.push({ path, message: errorMessage(name, locale) });
  if (!address) addIssue("productUrl", "product_url_invalid");
  if (!phone) addIssue("phoneNum", "phone_invalid");
  if (!address || !phone) throw new ShopError(address ? "phone_invalid" : "product_url_invalid", { issues });
  return { productUrl: address, phoneNum: phone.number };
}
