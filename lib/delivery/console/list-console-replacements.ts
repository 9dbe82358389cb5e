import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import { maskCodes } from "@/lib/delivery/code-text/find-codes";
import type {
  ConsoleReplacement,
  ConsoleReplacementList,
  ConsoleReplacementsInput,
} from "@/lib/delivery/console/contract-replacements";
import { disputedSql, refundRequestedSql, warnedSql } from "@/lib/delivery/library/key-state-sql";
import { replacementVersionSql } from "@/lib/delivery/replacement/replacement-version-sql";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import type { QueueState } from "@/lib/platform/console/list";
import {
  actorNameSql,
  type ConsoleListQuery,
  countQueue,
  type ListSize,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";

/** Codes and requests are counted to this number. */
const COUNTED = 100;
const BY_TIME: readonly SortKey[] = [
  { value: sql`r.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`r.id`, type: "text", pattern: ID_PATTERN },
];

export function replacementListQuery({
  state,
  customer_id: customer,
}: ConsoleReplacementsInput): ConsoleListQuery {
  const isState = sql`r.state = ${state}`;
  return {
    from: sql`replacement_requests r`,
    alias: sql`r`,
    columns: sql.raw(
      "r.id, r.key_id, r.user_id, r.asked_by, r.reason, r.state, r.created_at, r.decided_at, r.decided_by",
    ),
    indexed: customer ? [sql`r.user_id = ${customer}`] : [isState],
    filters: customer ? [isState] : [],
    walked: COUNTED * 10,
    sort: BY_TIME,
    ascending: state === "asked",
    at: sql`r.created_at`,
  };
}

type Row = Omit<ConsoleReplacement, "vip_type" | "batch_requests"> & {
  type: PassType;
  days: number | null;
};

const counted = (rows: SQL) => sql`(select count(*)::int from (${rows} limit ${COUNTED}) counted)`;

/** The newest requests of each state among which those of a batch are counted. */
const BATCH_REQUESTS = 400;

/** How many of the newest open and approved requests are about codes of these batches. */
async function countBatchRequests(batchIds: readonly string[]): Promise<Map<string, number>> {
  if (batchIds.length === 0) return new Map();
  const newest = (state: string) =>
    sql`(select r.key_id from replacement_requests r where r.state = ${state} order by r.created_at desc, r.id desc limit ${rowCount(BATCH_REQUESTS)})`;
  const rows = await listDb.execute<{ id: string; n: number }>(sql`
    select k.batch_id as id, count(*)::int as n from (${newest("asked")} union all ${newest("approved")}) r
    join keys k on k.id = r.key_id where k.batch_id = any(${sql.param([...batchIds])}::text[]) group by k.batch_id`);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/**
 * The queue of replacement requests, or those that were decided, with capped total. `viewer` does not decide their own;
 * an export has none.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleReplacements(
  viewer: StaffViewer | null,
  input: ConsoleReplacementsInput,
  locale: Locale,
  size: ListSize = SCREEN,
): Promise<ConsoleReplacementList> {
  const query = replacementListQuery(input);
  const earlier = (condition: SQL) =>
    counted(
      sql`select from replacement_requests e where e.user_id = w.user_id and (e.created_at, e.id) < (w.created_at, w.id) and ${condition}`,
    );
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select w.id as request_id, w.state, w.created_at as asked_at, w.reason,
      (select s.email from users s where s.id = w.asked_by) as asked_by, l.order_id, o.order_number, w.key_id, l.plan_id as vip_id,
      coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, l.pass_type as type, l.duration_days as days, w.user_id as customer_id, u.email, u.locale as reader,
      ${counted(sql`select from key_events v where v.key_id = w.key_id and v.event in ('revealed', 'mailed')`)} as shown,
      ${earlier(sql`true`)} as earlier, ${earlier(sql`e.state = 'approved'`)} as earlier_approved, stock.n as stock,
      k.batch_id, (select b.name from key_batches b where b.id = k.batch_id) as batch_name,
      case when w.state <> 'asked' then null when ${viewer?.userId ?? null} in (w.user_id, w.asked_by, o.user_id) then 'own_request'
        when ${disputedSql("l")} then 'disputed' when ${refundRequestedSql("l")} then 'refund_requested'
        when k.state <> 'assigned' or ${warnedSql("o.id")} then 'code_locked' when stock.n = 0 then 'no_stock' end as blocked_by,
      w.decided_at, ${actorNameSql("w.decided_by")} as decided_by, ${replacementVersionSql("w")} as version, ${ROW_MARKS}
    from page w join keys k on k.id = w.key_id join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    join users u on u.id = w.user_id
    left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = l.product_id and e.locale = 'en'
    cross join lateral (select ${counted(sql`select from keys k where k.plan_id = l.plan_id and ${sql.raw(SELLABLE_KEY)}`)} as n) stock
    order by w.place`);
  const batchIds = new Set(
    rows.flatMap(({ state, batch_id }) => (state === "asked" && batch_id ? batch_id : [])),
  );
  const batches = await countBatchRequests([...batchIds]);
  const list = await toPage(query, input, size, rows, ({ type, days, ...row }) => ({
    ...row,
    // An open request that is not among the newest counts too.
    batch_requests: row.state === "asked" && row.batch_id ? (batches.get(row.batch_id) ?? 1) : null,
    vip_type: passLabel({ pass_type: type, duration_days: days }, locale),
    asked_at: instant(row.asked_at),
    decided_at: instant(row.decided_at),
  }));
  const reasons = await maskCodes(
    list.items.map(({ reason, order_id, customer_id }) => ({
      text: reason,
      scope: { shopperId: customer_id, orderId: order_id },
    })),
  );
  return { ...list, items: list.items.map((item, i) => ({ ...item, reason: reasons[i] ?? "" })) };
}

/** The open replacement requests about codes of one order, the oldest first. At most 50 of a person. */
export async function listOrderReplacements(
  viewer: StaffViewer | null,
  orderId: string,
  locale: Locale,
): Promise<ConsoleReplacement[]> {
  const people = await listDb.execute<{ id: string }>(sql`
    select distinct r.user_id as id from order_lines l join keys k on k.order_line_id = l.id
    join replacement_requests r on r.key_id = k.id where l.order_id = ${orderId} and r.state = 'asked'`);
  const found: ConsoleReplacement[] = [];
  for (const { id } of people) {
    const { items } = await listConsoleReplacements(viewer, { state: "asked", customer_id: id }, locale);
    found.push(...items.filter(({ order_id }) => order_id === orderId));
  }
  return found;
}

/** Replacement requests that wait for a decision, the oldest first. */
export const countReplacementRequests = (): Promise<QueueState> =>
  countQueue(
    sql`select r.created_at as at from replacement_requests r where r.state = 'asked' order by r.created_at`,
  );
