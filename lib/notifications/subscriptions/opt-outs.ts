import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { mailOptouts } from "@/db/schema/notifications";
import type { MailTopic } from "@/lib/notifications/rules";

/** Whether this address has not opted out of this kind of email; checked at send time. */
export async function acceptsMail(email: string, topic: MailTopic): Promise<boolean> {
  const isOptout = and(sql`${mailOptouts.email} = lower(${email})`, eq(mailOptouts.topic, topic));
  return (await db.$count(mailOptouts, isOptout)) === 0;
}

/** The opt-out of an address, in lower case, from a kind of bulk email. */
export const isOptout = (email: string, topic: MailTopic) =>
  and(eq(mailOptouts.email, email), eq(mailOptouts.topic, topic));
