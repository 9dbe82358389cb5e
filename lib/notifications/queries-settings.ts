import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { UserViewer } from "@/lib/session";
import type { NotificationsView } from "./contract-settings";

/** Which bulk mail goes to the viewer's own address. */
export async function getNotifications(viewer: UserViewer): Promise<NotificationsView> {
  const email = viewer.email.toLowerCase();
  const ended = (topic: string) =>
    sql`exists (select from mail_optouts where email = ${email} and topic = ${topic})`;
  const [row] = await db.execute<{ discounts: boolean; wait_list: boolean }>(sql`
    select not ${ended("wait_list")} as wait_list, not ${ended("discounts")} and exists (select from subscriptions
      where email = ${email} and topic = 'discounts' and state = 'confirmed') as discounts`);
  return { email: viewer.email, email_verified: viewer.emailVerified, ...row! };
}
