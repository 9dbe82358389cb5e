import { type SQL, sql } from "drizzle-orm";

/**
 * SQL: the name of an actor for a merchant's people: an email address, or the name of a token. Null for actors outside
 * the merchant.
 */
export const memberNameSql = (
  actor: SQL,
): SQL => sql`coalesce((select u.email from users u where u.id = ${actor}),
  (select t.name from api_tokens t where 'token:' || t.id = ${actor}))`;
