import { sql } from "drizzle-orm";
import type { Db, Tx } from "@/db/client";
import { hasFormerFingerprints, printsOfKey } from "@/lib/delivery/fingerprints/key-prints";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";
import { reason } from "@/lib/platform/error-messages";
import { decideRows, type ExistingRows, listResults } from "./decide-rows";
import type { KeyImportOptions, KeyOwner } from "./import-options";
import type { KeyRow } from "./read-key-rows";

/** Takes nothing more once a batch has more codes of others than its owner may have. */
async function stopForeign(
  tx: Tx,
  batch: KeyRow[],
  { results, newKeys, foreign }: ReturnType<typeof decideRows>,
  { limitForeign }: KeyOwner,
): Promise<void> {
  let left = (await limitForeign?.(tx, foreign.size)) ?? foreign.size;
  for (const row of batch) {
    if (left < 0 || (left === 0 && foreign.size > 0)) {
      results.set(row, { line: row.line, ...reason("keys_stopped") });
      newKeys.delete(row.print);
    } else if (foreign.delete(row)) left -= 1;
  }
}

export async function writeKeys(tx: Tx, batch: KeyRow[], options: KeyImportOptions) {
  const decided = decideRows(await findExisting(tx, batch, options), batch, options);
  if (options.owner) await stopForeign(tx, batch, decided, options.owner);
  const { results, newKeys } = decided;
  const stored = await insertKeys(tx, [...newKeys.values()], options);
  const planIds = new Set<number>();
  const late: KeyRow[] = [];
  for (const [print, { row, planId }] of newKeys)
    if (stored.has(print)) planIds.add(planId);
    else late.push(row);
  // Another import has stored these since they were looked up.
  if (late.length > 0) {
    const again = decideRows(await findExisting(tx, late, options), late, options);
    if (again.foreign.size > 0) await options.owner?.limitForeign?.(tx, again.foreign.size);
    for (const row of late)
      results.set(row, again.results.get(row) ?? { line: row.line, ...reason("key_known") });
  }
  const sortedPlanIds = [...planIds].sort((a, b) => a - b);
  if (planIds.size > 0) await options.onStock(tx, sortedPlanIds);
  return listResults(batch, results);
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;

/** The plans that a batch names, of the owner alone if there is one, and its keys that are stored. */
export async function findExisting(
  tx: Db,
  batch: KeyRow[],
  { owner, preview }: KeyImportOptions,
): Promise<ExistingRows> {
  const slugs = batch.flatMap(({ plan }) => (plan.planId === undefined ? [plan.product] : []));
  const planIds = batch.flatMap(({ plan }) => (plan.planId === undefined ? [] : [plan.planId]));
  const prints = await printsByStored(tx, batch);
  const ofOwner = owner ? sql`and p.merchant_id = ${owner.merchantId}` : sql``;
  const isOwn = owner
    ? sql`exists (select from plans pl join products p on p.id = pl.product_id where pl.id = k.plan_id ${ofOwner})`
    : sql`true`;
  const onlyOwn = owner && preview && !owner.knowsForeign ? sql`and ${isOwn}` : sql``;
  const columns = sql`pl.id, pl.position, p.slug as product, pl.type || coalesce(':' || pl.duration_days, '') as kind, p.weak_keys as weak, sell_margin(pl) as margin`;
  const [row] = await tx.execute<ExistingRows>(sql`
    select to_json(shop_now()) as now,
      (select coalesce(json_agg(x order by x.position), '[]') from (
        select ${columns} from products p join plans pl on pl.product_id = p.id
        where p.slug in (select jsonb_array_elements_text(${json([...new Set(slugs)])})) ${ofOwner}
        union
        select ${columns} from plans pl join products p on p.id = pl.product_id
        where pl.id in (select n::int from jsonb_array_elements_text(${json([...new Set(planIds)])}) n) ${ofOwner}) x) as plans,
      (select coalesce(json_object_agg(k.fingerprint, json_build_object('plan', k.plan_id, 'batch', k.batch_id, 'own', ${isOwn})), '{}')
        from keys k where k.fingerprint in (select jsonb_array_elements_text(${json([...prints.keys()])})) ${onlyOwn}) as prints`);
  const existing = Object.entries(row!.prints).map(([stored, key]) => [prints.get(stored)!, key]);
  return { ...row!, prints: Object.fromEntries(existing) };
}

/** The fingerprints under which the codes of a batch may be stored, each with that of its one form. */
async function printsByStored(tx: Db, batch: readonly KeyRow[]): Promise<Map<string, string>> {
  if (!(await hasFormerFingerprints(tx))) return new Map(batch.map(({ print }) => [print, print]));
  return new Map(
    batch.flatMap(({ key, print }) =>
      printsOfKey(key, { former: true }).map((stored): [string, string] => [stored, print]),
    ),
  );
}

/** Stores keys with their first custody event; returns the stored fingerprints. */
async function insertKeys(
  tx: Tx,
  newKeys: { row: KeyRow; planId: number }[],
  { actor = "import", owner }: KeyImportOptions,
) {
  if (newKeys.length === 0) return new Set();
  const rows = newKeys.map(({ row, planId }) => {
    const id = newId("key");
    const { sealed, vaultKeyId: vault } = seal(id, row.key);
    return {
      id,
      planId,
      sealed: sealed.toString("base64"),
      vault,
      print: row.print,
      letters: row.lettersHash,
      redeemBy: row.redeemBy,
    };
  });
  // Inserts in a fixed order, so that parallel imports of the same keys cannot deadlock.
  const stored = await tx.execute<{ fingerprint: string }>(sql`
    with stored as (
      insert into keys (id, plan_id, sealed, vault_key_id, fingerprint, letters_hash, redeem_by, batch_id)
      select id, "planId", decode(sealed, 'base64'), vault, print, letters, "redeemBy", ${owner?.batchId ?? null}
      from jsonb_to_recordset(${json(rows)})
        as r(id text, "planId" int, sealed text, vault text, print text, letters bigint, "redeemBy" timestamptz)
      order by print
      on conflict (fingerprint) do nothing
      returning id, fingerprint),
    events as (insert into key_events (key_id, event, actor) select id, 'imported', ${actor} from stored)
    select fingerprint from stored`);
  return new Set(stored.map(({ fingerprint: print }) => print));
}
