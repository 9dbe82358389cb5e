import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  isValue,
  markColumns,
  pageSql,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import type { MerchantChange, MerchantChangeList, MerchantChangesInput } from "./contract";
import { AUTOMATIC, BY_SHOP } from "./rules";

const BY_TIME: readonly SortKey[] = [
  { value: sql`c.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`c.id`, type: "text", pattern: ID_PATTERN },
];
const MERCHANT: SortKey = { value: sql`c.merchant_id`, type: "text", pattern: ID_PATTERN };

/** The columns of a change `c` that its lists read; its content is large and stays where it is. */
export const CHANGE_COLUMNS = sql.raw(
  "c.id, c.merchant_id, c.product_id, c.state, c.base_revision, c.kind, c.risk, c.note, c.created_by, c.created_at, c.updated_at, c.proposed_at, c.decided_by, c.decided_at, c.revision",
);

/** SQL: a change `c` as its lists show it. */
export const changeFields = (locale: Locale): SQL => sql`
  c.product_id,
  (select coalesce(x.content #>> array['texts', ${locale}::text, 'name'], translate_product_text(x.content #>> '{texts,en,name}', ${locale}))
    from product_changes x where x.id = c.id) as product_name,
  c.kind, c.risk, c.state, c.base_revision, c.note,
  coalesce((select u.email from users u where u.id = c.created_by),
    (select k.name from api_tokens k where 'token:' || k.id = c.created_by), c.created_by) as created_by,
  c.created_by = ${BY_SHOP} as by_shop,
  c.created_at, c.updated_at, c.proposed_at, c.decided_at, c.decided_by is not distinct from ${AUTOMATIC} as automatic, c.revision`;

export const toChange = <Row extends MerchantChange>(row: Row): Row => ({
  ...row,
  created_at: instant(row.created_at),
  updated_at: instant(row.updated_at),
  proposed_at: instant(row.proposed_at),
  decided_at: instant(row.decided_at),
});

function merchantChangeListQuery(
  merchantId: string,
  { state, product_id }: MerchantChangesInput,
): ConsoleListQuery {
  const filters: SQL[] = [];
  if (state !== undefined) filters.push(sql`c.state = ${state}`);
  if (product_id !== undefined) filters.push(sql`c.product_id = ${product_id}`);
  return {
    from: sql`product_changes c`,
    alias: sql`c`,
    columns: CHANGE_COLUMNS,
    indexed: [isValue(MERCHANT, merchantId)],
    filters,
    walked: WALKED_ROWS,
    sort: [MERCHANT, ...BY_TIME],
    at: sql`c.created_at`,
  };
}

/** A page of the merchant's changes, the newest first, with capped total. @throws ShopError cursor_invalid */
export async function listMerchantChanges(
  { merchant }: MerchantViewer,
  input: MerchantChangesInput,
  locale: Locale,
): Promise<MerchantChangeList> {
  const query = merchantChangeListQuery(merchant.id, input);
  const rows = await listDb.execute<MerchantChange & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select c.id as change_id, ${changeFields(locale)}, ${markColumns("c")} from page c order by c.place`);
  return toPage(query, input, SCREEN, rows, toChange);
}
