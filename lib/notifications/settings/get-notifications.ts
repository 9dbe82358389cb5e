import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import { DEFAULT_LOCALE, isLocale } from "@/lib/platform/i18n/locales";
import type { NotificationsView } from "./contract";

export async function getNotifications(viewer: UserViewer): Promise<NotificationsView> {
  const email = viewer.email.toLowerCase();
  const optedOutSql = (topic: string) =>
    sql`exists (select from mail_optouts where email = ${email} and topic = ${topic})`;
  const [row] = await db.execute<{
    discounts: boolean;
    wait_list: boolean;
    wishlist: boolean;
    savedLocale: string;
  }>(sql`
    select (select locale from users where id = ${viewer.userId}) as "savedLocale", not ${optedOutSql("wait_list")} as wait_list,
      not ${optedOutSql("wishlist")} as wishlist, not ${optedOutSql("discounts")} and exists (select from subscriptions
      where email = ${email} and topic = 'discounts' and state = 'confirmed') as discounts`);
  const { savedLocale, ...settings } = row!;
  const locale = isLocale(savedLocale) ? savedLocale : DEFAULT_LOCALE;
  return { email: viewer.email, email_verified: viewer.emailVerified, ...settings, locale };
}
