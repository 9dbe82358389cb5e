import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { verifiedEmails } from "@/db/schema/accounts";
import type { UserViewer } from "@/lib/platform/auth/session";

/** Whether keys may be sent to an address: the account's own, or one verified by a code (docs/product.md#83-delivery). */
export async function isDeliveryEmail(viewer: UserViewer, email: string): Promise<boolean> {
  const address = email.toLowerCase();
  if (address === viewer.email.toLowerCase()) return true;
  const isVerified = and(
    eq(verifiedEmails.userId, viewer.userId),
    eq(sql`lower(${verifiedEmails.email})`, address),
  );
  return (await db.$count(verifiedEmails, isVerified)) > 0;
}
