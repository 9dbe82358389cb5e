import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { lockMerchant } from "@/lib/merchants/states/change-state";
import { entryKindSql } from "@/lib/payouts/money/entry-kind-sql";
import type { StatedHold } from "@/lib/payouts/money/rules";
import { unpaidSalesSql } from "@/lib/payouts/money/unpaid-sales-sql";
import type { StatementKind } from "@/lib/payouts/rules";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";

/**
 * A statement of a merchant's account from the end of the one before until now.
 * @throws ShopError nothing_to_state: nothing has moved since
 */
export async function makeStatement({ merchant, actor }: MerchantViewer): Promise<{ statement_id: string }> {
  const id = await transaction((tx) =>
    sealStatement(tx, merchant.id, { kind: "on_demand", by: actor, until: null }),
  );
  if (id === null) throw new ShopError("nothing_to_state");
  return { statement_id: id };
}

const BATCH = 200;

/** At the beginning of a month: the statements of the one that has ended. Safe to repeat and to stop. */
export async function makeMonthlyStatements(): Promise<void> {
  const [month] = await db.execute<{ start: string }>(
    sql`select (date_trunc('month', shop_now() at time zone 'UTC') at time zone 'UTC')::text as start`,
  );
  const { start } = month!;
  for (let after = ""; ; ) {
    const due = await db.execute<{ id: string }>(sql`
      select m.id from merchants m where m.id > ${after} and exists (
        select from ledger_entries e where e.merchant_id = m.id and e.account = 'merchant_payable' and e.created_at < ${start}::timestamptz
          and not exists (select from statement_lines l where l.entry_id = e.id))
      order by m.id limit ${sql.raw(String(BATCH))}`);
    for (const { id } of due)
      await transaction((tx) => sealStatement(tx, id, { kind: "monthly", by: "system", until: start }));
    if (due.length < BATCH) return;
    after = due.at(-1)!.id;
  }
}

type Sealing = {
  kind: StatementKind;
  by: string;
  /** null: now */
  until: string | null;
};
type Before = { number: number; toAt: string | null; closing: number };

/**
 * Writes and seals the next statement of a merchant: its entries that stand in none, until a moment. Its hash stands in the audit
 * log, whose entries are chained. Null: there are no such entries.
 */
async function sealStatement(
  tx: Tx,
  merchantId: string,
  { kind, by, until }: Sealing,
): Promise<string | null> {
  await lockMerchant(tx, merchantId);
  const [before] = await tx.execute<Before>(sql`
    select number, to_at as "toAt", closing_cents::float8 as closing from statements where merchant_id = ${merchantId}
    order by number desc limit 1`);
  const { number, toAt, closing: opening } = before ?? { number: 0, toAt: null, closing: 0 };
  const id = newId("st");
  const held = await findHeld(tx, merchantId);
  const open = sql`select e.* from ledger_entries e where e.merchant_id = ${merchantId} and e.account = 'merchant_payable'
    and e.created_at < coalesce(${until}::timestamptz, 'infinity') and not exists (select from statement_lines l where l.entry_id = e.id)`;
  const [written] = await tx.execute<{ lines: number; hash: string }>(sql`
    with open as (${open}), numbered as (
      select e.*, row_number() over (order by e.created_at, e.id) as position from open e
    ), sums as (
      select count(*)::int as lines, coalesce(sum(-amount_cents), 0)::bigint as cents,
        string_agg(position || ' ' || id || ' ' || -amount_cents, ';' order by position) as content from numbered
    ), sealed as (
      insert into statements (id, merchant_id, number, kind, from_at, to_at, opening_cents, closing_cents, lines, held, hash, created_by)
      select ${id}, ${merchantId}, ${number + 1}, ${kind}, ${toAt}::timestamptz, coalesce(${until}::timestamptz, shop_now()), ${opening}::bigint,
        ${opening}::bigint + s.cents, s.lines, ${JSON.stringify(held)}::jsonb,
        encode(sha256(convert_to(concat_ws('|', ${id}::text, ${merchantId}::text, ${number + 1}::text, ${opening}::text, s.cents, s.content, ${JSON.stringify(held)}::text), 'UTF8')), 'hex'), ${by}
      from sums s where s.lines > 0 returning lines, hash
    ), lines as (
      insert into statement_lines (entry_id, statement_id, position, kind, cents, at, line_id, names, pass_type, duration_days, units)
      select n.id, ${id}, n.position, ${entryKindSql(sql`n`)}, -n.amount_cents, n.created_at, n.line_id,
        (select jsonb_object_agg(t.locale, t.name) from product_texts t where t.product_id = s.product_id), v.type, v.duration_days, s.units
      from numbered n left join merchant_sales s on s.line_id = n.line_id left join plans v on v.id = s.plan_id
      where exists (select from sealed)
    )
    select lines, hash from sealed`);
  if (!written) return null;
  const detail = { merchant_id: merchantId, number: number + 1, lines: written.lines, hash: written.hash };
  await audit({ actor: by, action: "statement.sealed", subject: id, detail }, tx);
  return id;
}

const findHeld = async (tx: Tx, merchantId: string): Promise<StatedHold[]> => [
  ...(await tx.execute<StatedHold>(sql`
    select reason, to_char(date_trunc('day', until at time zone 'UTC'), 'YYYY-MM-DD') as until, sum(held)::int as cents, count(*)::int as sales
    from ${unpaidSalesSql(sql`s.merchant_id = ${merchantId}`)} u where held > 0 group by 1, 2 order by 1, 2`)),
];
