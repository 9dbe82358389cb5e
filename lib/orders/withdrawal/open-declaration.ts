import { sql } from "drizzle-orm";
import type { Db, Tx } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";
import { wordsSql } from "./words-sql";

/** Who acts for an order: its owner, whom all its declarations concern, or a guest who proved an address. */
export type Declarant = { orderId: string; email: string; isGuest: boolean };

const openOf = ({ orderId, email, isGuest }: Declarant) => sql`
  d.order_id = ${orderId} and d.proved_at is null and d.closed_at is null and d.email = ${isGuest ? email : sql`d.email`}`;

/** When the oldest open declaration for an order came; null without one. */
export async function findDeclaredAt(db: Db, declarant: Declarant): Promise<Date | null> {
  const [row] = await db.execute<{ at: string | null }>(sql`
    select min(d.declared_at) as at from withdrawal_declarations d where ${openOf(declarant)}`);
  return row?.at ? new Date(row.at) : null;
}

/** Marks the open declarations as proved; returns when the oldest declaration came, null without one. */
export async function proveDeclarations(tx: Tx, declarant: Declarant): Promise<Date | null> {
  const proved = await tx.execute<{ at: string }>(sql`
    update withdrawal_declarations d set proved_at = shop_now() where ${openOf(declarant)} returning d.declared_at as at`);
  const times = proved.map(({ at }) => new Date(at).getTime());
  return times.length > 0 ? new Date(Math.min(...times)) : null;
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
