import { sql } from "drizzle-orm";
import type { Db, Tx } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";
import { wordsSql } from "./words-sql";

/** Who acts for an order: its owner, whom all its declarations concern, or a guest who proved an address. */
export type Declarant = { orderId: string; email: string; isGuest: boolean };

const openOf = ({ orderId, email, isGuest }: Declarant) => sql`
  d.order_id = ${orderId} and d.proved_at is null and d.closed_at is null and d.email = ${isGuest ? email : sql`d.email`}`;

/**
 * SQL: the time that counts of declarations `d` of an order `o`: of the first one since the payment, as what was declared
 * before it concerns no contract; without one, of the first.
 */
const COUNTED_AT = sql`coalesce(min(w.at) filter (where w.at >= o.paid_at), min(w.at)) as at`;
/** SQL: the times `w.at` of the declarations that a record `d` counts together. */
const TIMES = sql`lateral (
  select d.declared_at as at union all select d.last_at
  union all select (word->>'at')::timestamptz from jsonb_array_elements(d.words) word) w`;

/** When the open declaration for an order came that counts; null without one. */
export async function findDeclaredAt(db: Db, declarant: Declarant): Promise<Date | null> {
  const [row] = await db.execute<{ at: string | null }>(sql`
    select ${COUNTED_AT} from withdrawal_declarations d join orders o on o.id = d.order_id cross join ${TIMES}
    where ${openOf(declarant)}`);
  return row?.at ? new Date(row.at) : null;
}

/** Marks the open declarations as proved; returns when the one came that counts, null without one. */
export async function proveDeclarations(tx: Tx, declarant: Declarant): Promise<Date | null> {
  const [row] = await tx.execute<{ at: string | null }>(sql`
    with d as (
      update withdrawal_declarations d set proved_at = shop_now() where ${openOf(declarant)}
      returning d.order_id, d.declared_at, d.last_at, d.words)
    select ${COUNTED_AT} from d join orders o on o.id = d.order_id cross join ${TIMES}`);
  return row?.at ? new Date(row.at) : null;
}

/** Records that somebody withdrew without having declared it before. */
export async function recordProvedDeclaration(
  tx: Tx,
  { orderId, email }: Declarant,
  locale: Locale,
): Promise<void> {
  await tx.execute(sql`
    insert into withdrawal_declarations (id, order_ref, email, words, order_id, proved_at)
    select ${newId("wdc")}, o.order_number, ${email}, ${wordsSql({ name: null, passes: null, locale })}, o.id, shop_now()
    from orders o where o.id = ${orderId}`);
}
