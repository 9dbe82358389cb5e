import { sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import { declareQuery, equals, idKey, textKey, timeKey } from "@/lib/platform/console/declare-query";
import type { QueueState } from "@/lib/platform/console/list";
import {
  countQueue,
  markColumns,
  pageSql,
  type RowMarks,
  SCREEN,
  toPage,
} from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { CHANGE_VERSION } from "./change-version";
import type { ConsoleChange, ConsoleChangeList, ConsoleChangesInput } from "./contract-console";
import { DETAIL_FIELDS, describeStored, type StoredChange } from "./get-merchant-change";
import { CHANGE_COLUMNS, changeFields, toChange } from "./list-merchant-changes";

/** Reads changes by state, those that wait with the oldest first. */
const changeListQuery = declareQuery<ConsoleChangesInput>({
  table: "product_changes c",
  columns: CHANGE_COLUMNS,
  order: [timeKey("c.proposed_at"), idKey("c.id")],
  ascending: ({ state }) => state === "proposed",
  indexes: { state: equals(textKey("c.state")) },
  checks: {
    merchant: (handle) => sql`c.merchant_id = (select id from merchants where handle = ${handle})`,
  },
});

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
  const [row] = await db.execute<StoredChange & ConsoleChange & { version: string; reader: Locale }>(sql`
    select c.id as change_id, ${changeFields(locale)}, m.handle as merchant, m.name as merchant_name, m.trust, ${DECIDER} as decided_by,
      ${CHANGE_VERSION} as version, ${DETAIL_FIELDS}, coalesce((select u.locale from merchant_members o join users u on u.id = o.user_id
        where o.merchant_id = c.merchant_id and o.role = 'owner' and o.ended_at is null order by o.created_at limit 1), 'en') as reader
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
