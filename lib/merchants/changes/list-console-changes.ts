import { type SQL, sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import { ID_PATTERN, TEXT_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { type QueueState, WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  countQueue,
  isValue,
  markColumns,
  pageSql,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { CHANGE_VERSION } from "./change-version";
import type { ConsoleChange, ConsoleChangeList, ConsoleChangesInput } from "./contract-console";
import { DETAIL_FIELDS, describeStored, type StoredChange } from "./get-merchant-change";
import { CHANGE_COLUMNS, changeFields, toChange } from "./list-merchant-changes";

const STATE: SortKey = { value: sql`c.state`, type: "text", pattern: TEXT_PATTERN };
const BY_PROPOSAL: readonly SortKey[] = [
  STATE,
  { value: sql`c.proposed_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`c.id`, type: "text", pattern: ID_PATTERN },
];

/** Reads changes by state, those that wait with the oldest first. */
function changeListQuery({ state, merchant }: ConsoleChangesInput): ConsoleListQuery {
  const filters: SQL[] = [];
  if (merchant !== undefined)
    filters.push(sql`c.merchant_id = (select id from merchants where handle = ${merchant})`);
  return {
    from: sql`product_changes c`,
    alias: sql`c`,
    columns: CHANGE_COLUMNS,
    indexed: [isValue(STATE, state)],
    filters,
    walked: WALKED_ROWS,
    sort: BY_PROPOSAL,
    ascending: state === "proposed",
    at: sql`c.proposed_at`,
  };
}

/** SQL: who decided about a change `c`. */
const DECIDER = sql.raw("coalesce((select u.email from users u where u.id = c.decided_by), c.decided_by)");

/** A page of merchants' changes for staff, with capped total. @throws ShopError cursor_invalid */
export async function listConsoleChanges(
  input: ConsoleChangesInput,
  locale: Locale,
): Promise<ConsoleChangeList> {
  const query = changeListQuery(input);
  const rows = await listDb.execute<ConsoleChange & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select c.id as change_id, ${changeFields(locale)}, m.handle as merchant, m.name as merchant_name, m.trust, ${DECIDER} as decided_by,
      ${markColumns("c")}
    from page c join merchants m on m.id = c.merchant_id order by c.place`);
  return toPage(query, input, SCREEN, rows, toChange);
}

/** A change that was proposed at some time. @throws ShopError change_unknown */
export async function getConsoleChange(id: string, locale: Locale) {
  const [row] = await db.execute<StoredChange & ConsoleChange & { version: string }>(sql`
    select c.id as change_id, ${changeFields(locale)}, m.handle as merchant, m.name as merchant_name, m.trust, ${DECIDER} as decided_by,
      ${CHANGE_VERSION} as version, ${DETAIL_FIELDS}
    from product_changes c join merchants m on m.id = c.merchant_id
    where c.id = ${id} and c.state not in ('draft', 'cancelled')`);
  if (!row) throw new ShopError("change_unknown");
  return describeStored(toChange(row), locale);
}

/** Changes that wait for a decision, the oldest first. */
export const countChanges = (): Promise<QueueState> =>
  countQueue(
    sql`select c.proposed_at as at from product_changes c where c.state = 'proposed' order by c.proposed_at`,
  );
