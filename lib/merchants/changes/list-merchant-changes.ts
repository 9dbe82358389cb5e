import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { declareQuery, idKey, timeKey, withTimes } from "@/lib/platform/console/declare-query";
import { markColumns, pageSql, type RowMarks, SCREEN, toPage } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { MerchantChange, type MerchantChangeList, type MerchantChangesInput } from "./contract";
import { AUTOMATIC, BY_SHOP } from "./rules";

/** The columns of a change that its lists read; its content is large and stays where it is. */
export const CHANGE_COLUMNS =
  "id, merchant_id, product_id, state, base_revision, kind, risk, note, created_by, created_at, updated_at, proposed_at, decided_by, decided_at, revision";

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

export const toChange = withTimes(MerchantChange);

const changeListQuery = declareQuery<MerchantChangesInput>({
  table: "product_changes c",
  columns: CHANGE_COLUMNS,
  order: [timeKey("c.created_at"), idKey("c.id")],
  checks: {
    state: (state) => sql`c.state = ${state}`,
    product_id: (id) => sql`c.product_id = ${id}`,
  },
});

/** A page of the merchant's changes, the newest first, with capped total. @throws ShopError cursor_invalid */
export async function listMerchantChanges(
  { merchant }: MerchantViewer,
  input: MerchantChangesInput,
  locale: Locale,
): Promise<MerchantChangeList> {
  const query = changeListQuery(input, { key: idKey("c.merchant_id"), value: merchant.id });
  const rows = await listDb.execute<MerchantChange & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select c.id as change_id, ${changeFields(locale)}, ${markColumns("c")} from page c order by c.place`);
  return toPage(query, input, SCREEN, rows, toChange);
}
