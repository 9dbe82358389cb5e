import { type SQL, sql } from "drizzle-orm";

/** SQL: how a merchant's people know who did something: an address, or the name of a token. Null: no one of theirs. */
export const memberNameSql = (
  actor: SQL,
): SQL => sql`coalesce((select u.email from users u where u.id = ${actor}),
  (select t.name from api_tokens t where 'token:' || t.id = ${actor}))`;
