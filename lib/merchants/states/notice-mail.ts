import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { NOTICE_STATES, type NoticeState } from "@/lib/merchants/rules";

/** The email to an owner about what staff did to the merchant. */
export async function noticeMail(merchantId: string, state: string, note: string) {
  const [merchant] = await db.execute<{ name: string; handle: string }>(
    sql`select name, handle from merchants where id = ${merchantId}`,
  );
  const known = NOTICE_STATES.find((one): one is NoticeState => one === state);
  return merchant && known ? { merchant: merchant.name, handle: merchant.handle, state: known, note } : null;
}
