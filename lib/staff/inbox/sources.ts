import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import { WAITING_FILE } from "@/lib/merchants/console/list-trade-files";
import { NEEDS_REVIEW } from "@/lib/merchants/discounts/mark-discounts-reviewed";
import { OPEN_DECLARATION } from "@/lib/orders/console/list-console-declarations";
import { OPEN_WARNING } from "@/lib/orders/console/list-console-warnings";
import { GIVEN_UP_SQL } from "@/lib/orders/refunds/given-up-sql";
import { capturedCentsSql, failedLeftSql, requestLeftSql } from "@/lib/orders/refunds/refund-versions";
import { DECLARATION_DAYS } from "@/lib/orders/withdrawal/rules-declaration";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { rowCount } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { listApprovals } from "@/lib/staff/approvals/list-approvals";
import type { InboxItem } from "@/lib/staff/inbox/contract";
import { INBOX_ROWS } from "@/lib/staff/inbox/rules";
import { WAITED_PLANS } from "@/lib/staff/inbox/sold-out";
import { listStuck } from "@/lib/staff/stuck/list-stuck";
import type { QueueName } from "@/lib/staff/today/rules";
import { ANSWER_ADDRESS_SQL } from "@/lib/support/find-message-for-mail";
import { lastMessageSql } from "@/lib/support/list-conversations";
import { DECIDER_SQL } from "@/lib/support/reports/list-console-reports";

/** A thing that waits, as its queue tells it. */
export type Waiting = {
  id: string;
  path: string;
  since: string;
  due: string | null;
  cents: number | null;
  subject: string;
  who: string | null;
  reason: InboxItem["reason"];
  text: string | null;
  count: number | null;
};
type Row = Partial<Waiting> &
  Pick<Waiting, "id" | "since"> & { type?: PassType | null; days?: number | null };

/** A report, or what objects to its decision. */
type Reported = {
  id: string;
  since: string;
  subject: string;
  who: string | null;
  text: string;
  objection: boolean;
};

/** A question about an order. */
type Asked = {
  id: string;
  since: string;
  text: string | null;
  subject: string;
  who: string | null;
  cents: number;
};

const LIMIT = rowCount(INBOX_ROWS);

/** SQL: the pass of a line `l`, and who bought it in an order `o`. */
const passSql = (locale: Locale) => sql`
  coalesce((select t.name from product_texts t where t.product_id = l.product_id and t.locale = ${locale}),
    (select translate_product_text(t.name, ${locale}) from product_texts t where t.product_id = l.product_id and t.locale = 'en'),
    o.order_number) as subject, l.pass_type as type, l.duration_days as days,
  (select coalesce(nullif(u.username, ''), u.email) from users u where u.id = o.user_id) as who`;

function toWaiting({ type, days, subject = "", ...row }: Row, path: string, locale: Locale): Waiting {
  const pass = type && passLabel({ pass_type: type, duration_days: days ?? null }, locale);
  return {
    path,
    due: null,
    cents: null,
    who: null,
    reason: null,
    text: null,
    count: null,
    ...row,
    subject: pass ? `${subject} · ${pass}` : subject,
  };
}

type Find = (viewer: StaffViewer, locale: Locale) => Promise<Waiting[]>;

/** A queue read by one statement. Its text is not at `execute`, where a row type would be compared with it. */
const source =
  (statement: (locale: Locale) => SQL, path: (row: Row) => string): Find =>
  async (_, locale) =>
    ((await listDb.execute(statement(locale))) as unknown as Row[]).map((row) =>
      toWaiting(row, path(row), locale),
    );

const idPath = (folder: string) => (row: Row) => `/console/${folder}/${encodeURIComponent(row.id)}`;

/** People of a plan that are counted. */
const COUNTED_PEOPLE = rowCount(30);

/** What waits in each queue, at most INBOX_ROWS of each in the order of an index. */
export const SOURCES: Readonly<Record<QueueName, Find>> = {
  asked: async ({ staff, userId }, locale) => {
    const roles = sql.param([...staff.roles]);
    const rows = await listDb.execute<Asked>(sql`
      select k.id, k.at as since, k.note as text, o.order_number as subject, u.email as who, o.total_cents as cents
      from inbox_marks k join orders o on o.id = k.id left join users u on u.id = k.marked_by
      where k.queue = 'asked' and (k.handed_to = any(${roles}::text[]) or k.marked_by = ${userId})
      order by k.at, k.key limit ${LIMIT}`);
    return rows.map((row) => toWaiting(row, `/console/orders/${row.subject}`, locale));
  },
  refund_requests: source(
    (locale) => sql`
      select q.id, q.created_at as since, q.answer_by as due, ${requestLeftSql("q", "l")} as cents, ${passSql(locale)},
        case when q.stated_country is not null then 'country' else 'merchant_silent' end as reason
      from (select * from refund_requests where state = 'asked' order by answer_by limit ${LIMIT}) q
      join order_lines l on l.id = q.order_line_id join orders o on o.id = l.order_id`,
    () => "/console/refunds",
  ),
  declarations: source(
    () => sql`
      select d.id, d.declared_at as since, d.declared_at + make_interval(days => ${rowCount(DECLARATION_DAYS)}) as due,
        coalesce(o.order_number, d.order_ref) as subject, d.email as who, o.total_cents as cents,
        case when d.order_id is null then 'no_order' else 'not_proved' end as reason
      from (select * from withdrawal_declarations d where ${OPEN_DECLARATION} order by d.declared_at, d.id limit ${LIMIT}) d
      left join orders o on o.id = d.order_id`,
    () => "/console/declarations",
  ),
  fraud_warnings: source(
    () => sql`
      select w.id, w.created_at as since, ${capturedCentsSql("o.id")} as cents, o.order_number as subject, w.fraud_type as text,
        (select u.email from users u where u.id = o.user_id) as who,
        case when exists (select from order_lines l join keys k on k.order_line_id = l.id
          where l.order_id = o.id and (k.mailed_at is not null or k.first_revealed_at is not null)) then 'codes_seen' else 'above_cost' end as reason
      from (select * from fraud_warnings w where ${OPEN_WARNING} order by w.created_at, w.id limit ${LIMIT}) w
      join orders o on o.id = w.order_id`,
    () => "/console/fraud-warnings",
  ),
  failed_refunds: source(
    (locale) => sql`
      select r.id, r.updated_at as since, ${failedLeftSql("r")} as cents, ${passSql(locale)}
      from (select * from refunds where state = 'failed' order by updated_at, id limit ${LIMIT}) r
      join orders o on o.id = r.order_id left join order_lines l on l.id = r.order_line_id
      where ${GIVEN_UP_SQL} and ${capturedCentsSql("r.order_id")} > 0
        and not exists (select from disputes d where d.order_id = r.order_id and d.is_open)`,
    () => "/console/refunds?state=failed",
  ),
  replacements: source(
    (locale) => sql`
      select r.id, r.created_at as since, ${passSql(locale)}, l.unit_price_cents as cents,
        case when exists (select from keys k where k.plan_id = l.plan_id and ${sql.raw(SELLABLE_KEY)}) then 'code_refused' else 'no_code' end as reason
      from (select * from replacement_requests where state = 'asked' order by created_at, id limit ${LIMIT}) r
      join keys x on x.id = r.key_id join order_lines l on l.id = x.order_line_id join orders o on o.id = l.order_id`,
    () => "/console/replacements",
  ),
  messages: source(
    () => sql`
      select c.id, c.waiting_since as since, coalesce(c.order_number, '') as subject, ${ANSWER_ADDRESS_SQL} as who,
        ${lastMessageSql("left(m.text, 160)")} as text,
        o.total_cents as cents
      from (select * from conversations where state = 'waiting' order by waiting_since, id limit ${LIMIT}) c
      left join orders o on o.id = c.order_id`,
    idPath("messages"),
  ),
  reports: async ({ userId }, locale) => {
    const rows = await listDb.execute<Reported>(sql`
      select q.id, q.since, w.target_name as subject, w.email as who, left(q.text, 160) as text, q.objection
      from (select id, created_at as since, text, false as objection, id as report_id from content_reports where decided_at is null
        union all select a.report_id, min(a.created_at), (array_agg(a.text order by a.created_at))[1], true, a.report_id
          from report_appeals a where a.decided_at is null group by a.report_id) q
      join content_reports w on w.id = q.report_id where ${DECIDER_SQL} is distinct from ${userId}
      order by q.since, q.id limit ${LIMIT}`);
    return rows.map(({ objection, ...row }) =>
      toWaiting({ ...row, reason: objection ? "objection" : null }, "/console/reports", locale),
    );
  },
  disputes: source(
    () => sql`
      select d.id, d.created_at as since, d.evidence_due_at as due, d.amount_cents as cents, o.order_number as subject, 'evidence' as reason,
        (select coalesce(nullif(u.username, ''), u.email) from users u where u.id = o.user_id) as who
      from (select * from disputes where is_open order by coalesce(evidence_due_at, created_at), id limit ${LIMIT}) d
      join orders o on o.id = d.order_id`,
    idPath("disputes"),
  ),
  stuck: async (_, locale) =>
    (await listStuck({}, locale)).items
      .filter(({ kind, why }) => kind !== "mail_failed" && why !== "shop_closed")
      .slice(0, INBOX_ROWS)
      .map(({ kind, id, since, order_number, about, error }) =>
        toWaiting(
          {
            id: `${kind}/${id}`,
            since,
            subject: about ?? order_number ?? kind,
            who: order_number,
            text: error,
          },
          "/console/stuck",
          locale,
        ),
      ),
  failed_mails: source(
    () => sql`
      select m.id, m.created_at as since, coalesce(m.order_number, m.event) as subject, m.to_address as who, m.last_error as text
      from mails m where m.state = 'failed' and m.state <> 'sent' and m.created_at > shop_now() - interval '7 days'
      order by m.created_at limit ${LIMIT}`,
    () => "/console/mails?state=failed",
  ),
  applications: source(
    () => sql`
      select a.id, a.created_at as since, a.product_url as subject, a.email as who from merchant_applications a
      where a.state = 'received' order by a.created_at limit ${LIMIT}`,
    idPath("applications"),
  ),
  trade_files: source(
    () => sql`
      select f.merchant_id as id, f.updated_at as since, cardinality(f.unchecked) as count, 'to_check' as reason,
        (select m.name from merchants m where m.id = f.merchant_id) as subject
      from merchant_trade_files f where ${WAITING_FILE} order by f.updated_at, f.merchant_id limit ${LIMIT}`,
    (row) => `${idPath("merchants")(row)}?tab=trade`,
  ),
  stopped_merchants: source(
    () => sql`
      select m.id, m.keys_stopped_at as since, m.name as subject, 'codes_of_others' as reason from merchants m
      where m.keys_stopped_at is not null order by m.keys_stopped_at limit ${LIMIT}`,
    idPath("merchants"),
  ),
  high_discounts: source(
    () => sql`
      select m.id, d.high_since as since, m.name as subject, d.discount_cents::int as cents, 'shop_paid' as reason
      from merchant_discounts d join merchants m on m.id = d.merchant_id where ${NEEDS_REVIEW} order by d.high_since limit ${LIMIT}`,
    idPath("merchants"),
  ),
  changes: source(
    (locale) => sql`
      select c.id, c.proposed_at as since, m.name as who,
        coalesce(c.content->'texts'->${locale}->>'name', c.content->'texts'->'en'->>'name', c.product_id::text, '') as subject
      from (select * from product_changes where state = 'proposed' order by proposed_at, id limit ${LIMIT}) c
      join merchants m on m.id = c.merchant_id`,
    idPath("changes"),
  ),
  merchant_names: source(
    () => sql`
      select m.id, m.proposed_name_at as since, m.proposed_name as subject, m.name as who, 'name' as reason from merchants m
      where m.proposed_name_at is not null order by m.proposed_name_at limit ${LIMIT}`,
    idPath("merchants"),
  ),
  replies: source(
    (locale) => sql`
      select y.review_id as id, y.created_at as since, left(y.text, 160) as text, m.name as who,
        coalesce((select t.name from product_texts t where t.product_id = r.product_id and t.locale = ${locale}),
          (select t.name from product_texts t where t.product_id = r.product_id and t.locale = 'en'), '') as subject
      from (select * from review_replies where state = 'waiting' order by created_at, review_id limit ${LIMIT}) y
      join reviews r on r.id = y.review_id join merchants m on m.id = y.merchant_id`,
    () => "/console/reviews?reply=waiting",
  ),
  approvals: async (viewer, locale) =>
    (await listApprovals(viewer, "open")).items
      .filter(({ decidable }) => decidable)
      .slice(0, INBOX_ROWS)
      .map(({ approval_id, asked_at, expires_at, subject, asked_by }) =>
        toWaiting(
          {
            id: approval_id,
            since: asked_at,
            due: expires_at,
            subject,
            who: asked_by,
            reason: "second_person",
          },
          "/console/approvals",
          locale,
        ),
      ),
  sold_out: source(
    (locale) => sql`
      ${WAITED_PLANS}
      select p.plan_id::text as id, w.since, w.people as count, 'people_wait' as reason, v.type, v.duration_days as days, v.price_cents * w.people as cents,
        coalesce((select t.name from product_texts t where t.product_id = v.product_id and t.locale = ${locale}),
          (select t.name from product_texts t where t.product_id = v.product_id and t.locale = 'en'), '') as subject,
        (select m.name from products o join merchants m on m.id = o.merchant_id where o.id = v.product_id) as who
      from (select plan_id from waited where plan_id is not null limit ${LIMIT}) p join plans v on v.id = p.plan_id
      cross join lateral (select count(*)::int as people, min(created_at) as since
        from (select created_at from wait_list where plan_id = p.plan_id and outcome is null order by created_at limit ${COUNTED_PEOPLE}) q) w
      where not exists (select from keys k where k.plan_id = p.plan_id and ${sql.raw(SELLABLE_KEY)})`,
    (row) => `/console/keys?vip_id=${row.id}`,
  ),
};
