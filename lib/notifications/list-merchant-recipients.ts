import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { MerchantNotice } from "@/lib/notifications/rules";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";

export type MailRecipient = { to: string; locale: Locale };

/** Notices that the support address of a merchant gets too. */
const TO_SUPPORT: readonly MerchantNotice[] = ["questions", "sales"];

/** SQL: whether the person of a membership `b` gets these emails: by default only owners do. */
export const wantsNoticeSql = (notice: MerchantNotice): SQL =>
  sql`coalesce((b.notices->>${notice})::boolean, b.role = 'owner')`;

/**
 * The recipients of emails to a product's merchant: its support address and the people who chose them, each once,
 * without `exceptUserIds`, whose request it is. A question goes to the owners if nobody else gets it, because an
 * unanswered one is decided by default. Empty for a merchant without people.
 */
export async function listMerchantRecipients(
  tx: Tx,
  productId: number,
  exceptUserIds: readonly string[],
  notice: MerchantNotice,
): Promise<MailRecipient[]> {
  const toSupport = TO_SUPPORT.includes(notice);
  const read = async (wanted: SQL) => {
    const rows = await tx.execute<{ email: string; locale: string }>(sql`
      select distinct on (lower(a.email)) a.email, a.locale from (
        select 0 as place, m.id, m.support_email as email, m.locale
        from products p join merchants m on m.id = p.merchant_id
        where p.id = ${productId} and m.support_email is not null and ${toSupport}
        union all
        select 1, b.id, u.email, u.locale
        from products p join merchant_members b on b.merchant_id = p.merchant_id join users u on u.id = b.user_id
        where p.id = ${productId} and ${wanted} and b.ended_at is null and u.deleted_at is null
      ) a
      where lower(a.email) not in (select lower(x.email) from users x where x.id = any(${sql.param([...exceptUserIds])}::text[]))
      order by lower(a.email), a.place, a.id`);
    return rows.map(({ email, locale }) => ({
      to: email,
      locale: isLocale(locale) ? locale : DEFAULT_LOCALE,
    }));
  };
  const recipients = await read(wantsNoticeSql(notice));
  return recipients.length > 0 || notice !== "questions" ? recipients : read(sql`b.role = 'owner'`);
}
