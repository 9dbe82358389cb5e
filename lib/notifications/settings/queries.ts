import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import { DEFAULT_LOCALE, isLocale } from "@/lib/platform/i18n/locales";
import type { NotificationsView } from "./contract";

/** The viewer's bulk email settings and language. */
export async function getNotifications(viewer: UserViewer): Promise<NotificationsView> {
  const email = viewer.email.toLowerCase();
  const ended = (topic: string) =>
    sql`exists (select from mail_optouts where email = ${email} and topic = ${topic})`;
  const [row] = await db.execute<{ discounts: boolean; wait_list: boolean; saved: string }>(sql`
    select (select locale from users where id = ${viewer.userId}) as saved, not ${ended("wait_list")} as wait_list, not ${ended("discounts")} and exists (select from subscriptions
      where email = ${email} and topic = 'discounts' and state = 'confirmed') as discounts`);
  const { saved, ...chosen } = row!;
  const locale = isLocale(saved) ? saved : DEFAULT_LOCALE;
  return { email: viewer.email, email_verified: viewer.emailVerified, ...chosen, locale };
}
