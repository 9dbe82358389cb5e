import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";

export type MailRecipient = { to: string; locale: Locale };

/**
 * Where emails about a product go that are meant for its merchant: its support address and its owners, each once. No
 * one of `exceptUserIds`, the people whose request it is, is among them. Empty for a vendor whom no one represents
 * here.
 */
export async function listMerchantRecipients(
  tx: Tx,
  productId: number,
  exceptUserIds: readonly string[],
): Promise<MailRecipient[]> {
  const rows = await tx.execute<{ email: string; locale: string }>(sql`
    select distinct on (lower(a.email)) a.email, a.locale from (
      select 0 as place, m.id, m.support_email as email, m.locale
      from products p join merchants m on m.id = p.merchant_id where p.id = ${productId} and m.support_email is not null
      union all
      select 1, b.id, u.email, u.locale
      from products p join merchant_members b on b.merchant_id = p.merchant_id join users u on u.id = b.user_id
      where p.id = ${productId} and b.role = 'owner' and b.ended_at is null and u.deleted_at is null
    ) a
    where lower(a.email) not in (select lower(x.email) from users x where x.id = any(${sql.param([...exceptUserIds])}::text[]))
    order by lower(a.email), a.place, a.id`);
  return rows.map(({ email, locale }) => ({ to: email, locale: isLocale(locale) ? locale : DEFAULT_LOCALE }));
}
