import { type SQL, sql } from "drizzle-orm";

/**
 * SQL: who did something, from an actor as it is stored: the address of an account, or the name of a merchant's token after
 * "API · ". Other actors are words of the shop, such as `system` or `vendor`.
 */
export const actorNameSql = (actor: string): SQL =>
  sql.raw(`coalesce((select named.email from users named where named.id = ${actor}),
    (select 'API · ' || token.name from api_tokens token where starts_with(${actor}, 'token:') and token.id = substr(${actor}, 7)), ${actor})`);
