import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** Invalidates the pages that show this user's reviews, which contain the username, with the commit. */
export async function invalidateReviewPages(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`
    select notify_page_tag('product:' || product_id) from reviews where user_id = ${userId} and state = 'published'`);
}
