import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import { maskCodes } from "@/lib/delivery/code-text/find-codes";
import { disputedSql, refundRequestedSql } from "@/lib/delivery/library/key-state-sql";
import type {
  MerchantRequest,
  MerchantRequestList,
  MerchantRequestsInput,
} from "@/lib/merchants/requests/contract";
import { maskPersons } from "@/lib/merchants/requests/rules";
import { SERVED_UNIT_SQL } from "@/lib/orders/refunds/lock-line-codes";
import { requestLeftSql } from "@/lib/orders/refunds/refund-versions";
import { decidedByVendorSql } from "@/lib/orders/refunds/select-refunds";
import { listCodeReferences } from "@/lib/orders/vendor-confirmation/code-reference";
import { questionVersionSql } from "@/lib/orders/vendor-confirmation/vendor-link";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import {
  type ConsoleListQuery,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
  versionSql,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";

/** Codes of a request, and codes in stock, are counted to these numbers. */
const MAX_CODES = 10;
const COUNTED_STOCK = 100;

const sortBy = (...keys: [SQL, SortKey["type"]][]): readonly SortKey[] =>
  keys.map(([value, type]) => ({
    value,
    type,
    pattern: type === "timestamptz" ? TIME_PATTERN : ID_PATTERN,
  }));

/** The merchant's rows of a table of requests: open ones by `open`, decided ones the newest first. */
function requestListQuery(
  table: "refund_requests" | "replacement_requests",
  columns: string,
  open: SQL,
  { merchant }: MerchantViewer,
  { state }: MerchantRequestsInput,
  conditions: SQL[] = [],
): ConsoleListQuery {
  const isOpen = state === "open";
  const at = isOpen ? open : sql`r.decided_at`;
  return {
    from: sql.raw(`${table} r`),
    alias: sql`r`,
    columns: sql.raw(`r.id, r.state, r.created_at, r.decided_at, r.decided_by, r.merchant_id, ${columns}`),
    indexed: [
      sql`r.merchant_id = ${merchant.id}`,
      isOpen ? sql`r.state = 'asked'` : sql`r.state <> 'asked' and r.decided_at is not null`,
      ...conditions,
    ],
    filters: [],
    walked: null,
    sort: sortBy([at, "timestamptz"], [sql`r.id`, "text"]),
    ascending: isOpen,
    at,
  };
}

/** Vendor confirmations of refunds: open ones by deadline. */
const refundListQuery = (viewer: MerchantViewer, input: MerchantRequestsInput) =>
  requestListQuery(
    "refund_requests",
    "r.order_line_id, r.user_id, r.asked_by, r.amount_cents, r.answer_by",
    sql`r.answer_by`,
    viewer,
    input,
    // Staff alone decide where the buyer states another country.
    [sql`r.stated_country is null`],
  );

/** Requests for other codes: open ones the oldest first. */
const replacementListQuery = (viewer: MerchantViewer, input: MerchantRequestsInput) =>
  requestListQuery(
    "replacement_requests",
    "r.key_id, r.user_id, r.asked_by, r.reason",
    sql`r.created_at`,
    viewer,
    input,
  );

/**
 * SQL: whether one of these people makes the call. A token acts for the person who made it, so that no one answers
 * their own request through a token.
 */
export const ownRequestSql = ({ actor }: MerchantViewer, people: SQL): SQL => sql`
  coalesce(coalesce((select t.created_by from api_tokens t where t.id = ${actor.replace(/^token:/, "")}), ${actor}) in (${people}), false)`;

/** SQL: what the merchant sees of a question before the refund of a line `l`. */
export const shownRefundSql = (request: string) =>
  versionSql(questionVersionSql(request), requestLeftSql(request, "l"));
/** SQL: the same of a request for another code. */
export const shownReplacementSql = (request: string) =>
  versionSql(sql.raw(`${request}.id, ${request}.key_id, ${request}.asked_by, ${request}.reason`));

type Row = Pick<
  MerchantRequest,
  | "request_id"
  | "state"
  | "sale_id"
  | "product_id"
  | "product_name"
  | "vip_id"
  | "buyer"
  | "asked_by_shop"
  | "blocked_by"
  | "decided_by"
  | "version"
> & {
  type: PassType;
  days: number | null;
  asked_at: string;
  decided_at: string | null;
  key_ids: string[];
};
type RefundRow = Row & { answer_by: string; cents: number };
type ReplacementRow = Row & { reason: string | null; stock: number };

/** SQL: who decided the request `w`. The merchant's mailed link, members and tokens are not distinguished. */
const DECIDED_BY = sql`
  case when w.decided_by = 'deadline' then 'deadline'
    when ${decidedByVendorSql("w")} then 'merchant'
    when w.decided_by is not null then 'shop' end as decided_by`;

/** SQL: the pass of a line `l`, and its buyer's name in the merchant's sales. */
const passColumns = (locale: Locale) => sql`
  l.id as sale_id, l.product_id, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, l.plan_id as vip_id, l.pass_type as type,
  l.duration_days as days, coalesce((select s.buyer from merchant_sales s where s.line_id = l.id), '') as buyer`;
const passJoins = (locale: Locale) => sql`
  left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
  left join product_texts e on e.product_id = l.product_id and e.locale = 'en'`;

/**
 * What buyers ask the merchant, with references of the codes instead of the codes, and pseudonyms instead of people.
 * @throws ShopError cursor_invalid
 */
export async function listMerchantRequests(
  viewer: MerchantViewer,
  input: MerchantRequestsInput,
  locale: Locale,
): Promise<MerchantRequestList> {
  return input.kind === "refund"
    ? listRefundQuestions(viewer, input, locale)
    : listReplacementRequests(viewer, input, locale);
}

async function listRefundQuestions(viewer: MerchantViewer, input: MerchantRequestsInput, locale: Locale) {
  const query = refundListQuery(viewer, input);
  const rows = await listDb.execute<RefundRow & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id as request_id, w.state, w.created_at as asked_at, w.answer_by, case when w.state = 'asked' then ${requestLeftSql("w", "l")} else w.amount_cents end as cents, w.asked_by is not null as asked_by_shop, ${passColumns(locale)},
      case when w.state <> 'asked' then null when ${ownRequestSql(viewer, sql`w.user_id, w.asked_by, o.user_id`)} then 'own_request'
        when ${disputedSql("l")} then 'disputed' end as blocked_by, w.decided_at, ${DECIDED_BY}, ${shownRefundSql("w")} as version,
      array(select k.id from keys k where k.order_line_id = l.id and ${SERVED_UNIT_SQL} order by k.slot, k.assigned_at
        limit ${rowCount(MAX_CODES)}) as key_ids, ${ROW_MARKS}
    from page w join order_lines l on l.id = w.order_line_id join orders o on o.id = l.order_id ${passJoins(locale)}
    order by w.place`);
  const references = await listCodeReferences(rows.flatMap(({ key_ids }) => key_ids));
  return toPage(
    query,
    input,
    SCREEN,
    rows,
    ({ answer_by, cents, ...row }): MerchantRequest => ({
      ...toRequest(row, references, locale),
      kind: "refund",
      answer_by: instant(answer_by),
      amount: toDecimal(cents),
      reason: null,
      stock: null,
    }),
  );
}

async function listReplacementRequests(viewer: MerchantViewer, input: MerchantRequestsInput, locale: Locale) {
  const query = replacementListQuery(viewer, input);
  const rows = await listDb.execute<ReplacementRow & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id as request_id, w.state, w.created_at as asked_at, w.asked_by is not null as asked_by_shop,
      case when w.asked_by is null then w.reason end as reason, ${passColumns(locale)}, stock.n as stock,
      case when w.state <> 'asked' then null when ${ownRequestSql(viewer, sql`w.user_id, w.asked_by, o.user_id`)} then 'own_request'
        when ${disputedSql("l")} then 'disputed' when ${refundRequestedSql("l")} then 'refund_requested'
        when k.state <> 'assigned' then 'code_locked' when stock.n = 0 then 'no_stock' end as blocked_by,
      w.decided_at, ${DECIDED_BY}, ${shownReplacementSql("w")} as version, array[w.key_id] as key_ids, ${ROW_MARKS}
    from page w join keys k on k.id = w.key_id join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    ${passJoins(locale)} cross join lateral (select count(*)::int as n from (select from keys k where k.plan_id = l.plan_id
      and ${sql.raw(SELLABLE_KEY)} limit ${rowCount(COUNTED_STOCK)}) counted) stock
    order by w.place`);
  const references = await listCodeReferences(rows.flatMap(({ key_ids }) => key_ids));
  const page = await toPage(
    query,
    input,
    SCREEN,
    rows,
    ({ reason, stock, ...row }): MerchantRequest => ({
      ...toRequest(row, references, locale),
      kind: "replacement",
      answer_by: null,
      amount: null,
      reason,
      stock,
    }),
  );
  const reasons = await maskCodes(
    page.items.map(({ reason }) => ({ text: reason, scope: { merchantId: viewer.merchant.id } })),
  );
  return {
    ...page,
    items: page.items.map((item, i) => {
      const words = reasons[i];
      return { ...item, reason: words ? maskPersons(words) : null };
    }),
  };
}

function toRequest(
  { type, days, key_ids, asked_at, decided_at, ...row }: Row,
  references: Awaited<ReturnType<typeof listCodeReferences>>,
  locale: Locale,
) {
  return {
    ...row,
    vip_type: passLabel({ pass_type: type, duration_days: days }, locale),
    codes: key_ids.flatMap((id) => references.get(id) ?? []),
    asked_at: instant(asked_at),
    decided_at: instant(decided_at),
  };
}
