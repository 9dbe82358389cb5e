import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { NOTICE_STATES, type NoticeState } from "@/lib/merchants/rules";
import { versionSql } from "@/lib/platform/console/query";

/** SQL: how a merchant's people know who did something: an address, or the name of a token. Null: nobody of theirs. */
export const memberNameSql = (
  actor: SQL,
): SQL => sql`coalesce((select u.email from users u where u.id = ${actor}),
  (select t.name from api_tokens t where 'token:' || t.id = ${actor}))`;

/** The email to an owner about what staff did to the merchant. */
export async function noticeMail(merchantId: string, state: string, note: string) {
  const [merchant] = await db.execute<{ name: string; handle: string }>(
    sql`select name, handle from merchants where id = ${merchantId}`,
  );
  const known = NOTICE_STATES.find((one): one is NoticeState => one === state);
  return merchant && known ? { merchant: merchant.name, handle: merchant.handle, state: known, note } : null;
}

/** SQL: the version of a merchant `m`: what staff decide by. */
export const MERCHANT_VERSION = versionSql(sql`m.id, m.name, m.state, m.state_at, m.trust`);
