import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { contactMessages } from "@/db/schema/notifications";

/** A message to support; null when it was deleted. */
export async function findContactMessage(id: string) {
  const [row] = await db.select().from(contactMessages).where(eq(contactMessages.id, id));
  return row ?? null;
}
