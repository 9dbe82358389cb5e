import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { rowCount } from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { PayoutRow, PayoutRun, PayoutRunDetail, PayoutRunList } from "./contract";

const MAX_RUNS = 100;
const MAX_ROWS = 500;

type RunRow = Omit<PayoutRun, "amount"> & { cents: number };

const runsSql = (runs: SQL) => sql`
  select r.id as run_id, r.origin, r.state, r.created_at, p.email as prepared_by, q.email as asked_by, d.email as approved_by, r.approved_at,
    o.payouts, o.cents,
    r.state = 'draft' and exists (select from approvals a where a.kind = 'payout_run' and a.state = 'asked' and a.expires_at > shop_now()
      and a.payload->>'run_id' = r.id) as waits
  from ${runs} r left join users p on p.id = r.prepared_by left join users q on q.id = r.asked_by left join users d on d.id = r.approved_by
  cross join lateral (
    select count(*)::int as payouts, coalesce(sum(cents), 0)::float8 as cents from payouts where run_id = r.id and state <> 'dropped') o
  order by r.created_at desc, r.id desc`;

const toRun = ({ cents, ...row }: RunRow): PayoutRun => ({
  ...row,
  amount: toDecimal(cents),
  created_at: instant(row.created_at),
  approved_at: instant(row.approved_at),
});

/** The row type stands here and not at `execute`, whose text has the runs as a part (tests/statements/row-types.test.ts). */
const readRuns = async (runs: SQL) => (await db.execute(runsSql(runs))) as unknown as RunRow[];

/** The newest 100 runs of payouts. */
export async function listRuns(): Promise<PayoutRunList> {
  const rows = await readRuns(
    sql`(select * from payout_runs order by created_at desc, id desc limit ${rowCount(MAX_RUNS)})`,
  );
  return { items: rows.map(toRun), total: rows.length };
}

type PayoutRecord = Omit<PayoutRow, "amount"> & { cents: number };
type FileRow = Omit<PayoutRunDetail["files"][number], "amount"> & { cents: number };

/**
 * A run with its payouts, the first 500 of them, what needs somebody first and then by their sum, and its bank files.
 * @throws ShopError payout_run_unknown
 */
export async function getRun(id: string): Promise<PayoutRunDetail> {
  const [runs, rows, files] = await Promise.all([
    readRuns(sql`(select * from payout_runs where id = ${id})`),
    db.execute<PayoutRecord>(sql`
    select p.id as payout_id, p.merchant_id, m.name as merchant_name, p.state, p.state_at, p.cents,
      (select count(*)::int from payout_lines l where l.payout_id = p.id and l.attempt = p.attempt) as sales,
      t.key as reference, a.country, a.last_four, t.reason, t.file_id is not null as in_file, a.method, coalesce(t.lacks_funds, false) as lacks_funds
    from (
      select w.*, array_position(array['failed', 'returned', 'sent', 'draft', 'confirmed', 'dropped'], w.state) as place
      from payouts w where w.run_id = ${id} order by place, w.cents desc, w.id limit ${rowCount(MAX_ROWS)}) p
    join merchants m on m.id = p.merchant_id join payout_accounts a on a.id = p.account_id left join payout_attempts t on t.payout_id = p.id and t.attempt = p.attempt
    order by p.place, p.cents desc, p.id`),
    db.execute<FileRow>(sql`
    select f.id as file_id, f.format, f.payouts, f.cents::float8 as cents, u.email as made_by, f.created_at
    from bank_files f left join users u on u.id = f.made_by where f.run_id = ${id} order by f.created_at, f.id`),
  ]);
  const [run] = runs;
  if (!run) throw new ShopError("payout_run_unknown");
  return {
    ...toRun(run),
    rows: rows.map(({ cents, ...row }) => ({
      ...row,
      amount: toDecimal(cents),
      state_at: instant(row.state_at),
    })),
    files: files.map(({ cents, ...file }) => ({
      ...file,
      amount: toDecimal(cents),
      created_at: instant(file.created_at),
    })),
  };
}
