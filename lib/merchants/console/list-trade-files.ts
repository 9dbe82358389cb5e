import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { declareQuery, equals, idKey, textKey, timeKey } from "@/lib/platform/console/declare-query";
import type { QueueState } from "@/lib/platform/console/list";
import { countQueue, pageSql, ROW_MARKS, type RowMarks, SCREEN, toPage } from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import type { TradeFileList, TradeFileRow, TradeFilesInput } from "./contract-trade-files";

const HELD = sql`exists (select from merchants h where h.id = f.merchant_id and h.trade_held_at is not null)`;

/** Reads trader files of merchants with an owner by state, or by time. */
const tradeFileListQuery = declareQuery<TradeFilesInput>({
  table: "merchant_trade_files f",
  columns: "merchant_id, state, missing, unchecked, due_at, updated_at",
  order: [timeKey("f.updated_at"), idKey("f.merchant_id")],
  always: sql`f.required_at is not null`,
  indexes: { state: equals(textKey("f.state")) },
  checks: { held: (held) => (held ? HELD : sql`not ${HELD}`) },
});

/** SQL: a file `f` waits for a check by staff. */
export const WAITING_FILE = sql`f.required_at is not null and f.state = 'unchecked'
  and exists (select from merchants h where h.id = f.merchant_id and h.state <> 'ended')`;

/** Trader files that wait for a check, the longest waiting first. */
export const countTradeFiles = (): Promise<QueueState> =>
  countQueue(
    sql`select f.updated_at as at from merchant_trade_files f where ${WAITING_FILE} order by f.updated_at, f.merchant_id`,
  );

type Row = Omit<TradeFileRow, "due_at" | "held_at" | "updated_at"> & {
  due_at: string | null;
  held_at: string | null;
  updated_at: string;
};

/**
 * A page of trader files, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listTradeFiles(input: TradeFilesInput): Promise<TradeFileList> {
  const query = tradeFileListQuery(input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.merchant_id, w.state, w.missing, w.unchecked, w.due_at, w.updated_at,
      (select m.name from merchants m where m.id = w.merchant_id) as name,
      (select m.trade_held_at from merchants m where m.id = w.merchant_id) as held_at, ${ROW_MARKS}
    from page w order by w.place`);
  return toPage(query, input, SCREEN, rows, (row) => ({
    ...row,
    due_at: instant(row.due_at),
    held_at: instant(row.held_at),
    updated_at: instant(row.updated_at),
  }));
}
