import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** The data of the email to an owner about a requested name: the merchant's current name, and the rejected one. */
export async function nameMail(
  tx: Db,
  merchantId: string,
  { decision, refused, note }: { decision: string; refused: string | null; note: string },
) {
  const [merchant] = await tx.execute<{ name: string; handle: string }>(
    sql`select name, handle from merchants where id = ${merchantId}`,
  );
  if (!merchant || (decision !== "approved" && decision !== "refused")) return null;
  return { merchant: merchant.name, handle: merchant.handle, decision, refused, note } as const;
}
