import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { mails } from "@/db/schema/notifications";
import { renderMail } from "@/emails/render";
import type { MailContent } from "@/lib/notifications/console/contract-again";
import { keysMail, maskOrderKeys } from "@/lib/orders/emails/keys-mail";
import { ORDER_MAILS, splitIds } from "@/lib/orders/emails/order-mails";
import { ShopError } from "@/lib/platform/errors";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";

const isOrderMail = (event: string): event is keyof typeof ORDER_MAILS => Object.hasOwn(ORDER_MAILS, event);

/** Parameters of links whose values open something. */
const SECRETS = /([?&](?:token|code|key|signature)=)[^\s&)]+/g;

type MailRow = typeof mails.$inferSelect;

/**
 * What an email of an order says, in its language, as it would be written now: an email's text is not kept. Codes are
 * masked without being opened; emails that sign somebody in or let somebody else decide are their recipient's alone.
 * @throws ShopError mail_unknown
 */
export async function getMailContent(mailId: string): Promise<MailContent> {
  const [mail] = await db.select().from(mails).where(eq(mails.id, mailId));
  if (!mail) throw new ShopError("mail_unknown");
  const without = (missing: MailContent["missing"]) => ({ missing, subject: "", text: "" });
  const isCodes = mail.event === "keys";
  if (!isCodes && !isOrderMail(mail.event)) return without("private");
  const locale = isLocale(mail.locale) ? mail.locale : DEFAULT_LOCALE;
  const rendered = isCodes ? await renderCodes(mail, locale) : await renderPlain(mail, locale);
  if (!rendered) return without("obsolete");
  return { missing: null, subject: rendered.subject, text: rendered.text.replace(SECRETS, "$1…") };
}

const optionsOf = ({ timeZone, orderNumber }: MailRow) => ({ timeZone, orderNumber });

async function renderCodes(mail: MailRow, locale: Locale) {
  const { orderId, keyIds, kept, claimed } = mail.refs;
  const props = await keysMail(
    String(orderId),
    splitIds(keyIds),
    locale,
    splitIds(kept),
    Boolean(claimed),
    maskOrderKeys,
  );
  return props && renderMail("keys", props, locale, undefined, optionsOf(mail));
}

async function renderPlain(mail: MailRow, locale: Locale) {
  const event = mail.event as keyof typeof ORDER_MAILS;
  const props = await ORDER_MAILS[event](mail.refs, locale);
  return props && renderMail<typeof event>(event, props, locale, undefined, optionsOf(mail));
}
