import { eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { contactMessages } from "@/db/schema/notifications";
import { CONTACT_DAYS } from "./rules";

/** Deletes the messages of an account that is deleted, and those from its verified addresses (in lower case). */
export async function deleteContactMessages(
  tx: Tx,
  userId: string,
  emails: readonly string[],
): Promise<void> {
  const isFromUser = eq(contactMessages.userId, userId);
  const condition =
    emails.length > 0 ? or(isFromUser, inArray(contactMessages.email, [...emails])) : isFromUser;
  await tx.delete(contactMessages).where(condition);
}

/** Deletes messages older than CONTACT_DAYS. */
export async function deleteOldContactMessages(): Promise<void> {
  const oldest = sql`shop_now() - make_interval(days => ${CONTACT_DAYS})`;
  await deleteInBatches(contactMessages, lt(contactMessages.createdAt, oldest), sql`created_at`);
}
