import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import { maskCodes } from "@/lib/delivery/code-text/find-codes";
import { disputedSql, refundRequestedSql, warnedSql } from "@/lib/delivery/library/key-state-sql";
import { replacementVersionSql } from "@/lib/delivery/replacement/replacement-version-sql";
import { getConsoleMerchant } from "@/lib/merchants/console/get-console-merchant";
import type { ConsoleMail } from "@/lib/notifications/console/contract";
import { isRepeatableMail } from "@/lib/notifications/console/rules";
import type { ConsoleDeclaration } from "@/lib/orders/console/contract-declarations";
import { declarationSql, maskWords, OPEN_DECLARATION } from "@/lib/orders/console/list-console-declarations";
import {
  OPEN_WARNING,
  WARNING_COLUMNS,
  WARNING_JOINS,
  type WarningRow,
} from "@/lib/orders/console/list-console-warnings";
import {
  CODES_SEEN_SQL,
  CODES_SQL,
  DISPUTED_SQL,
  failedLeftSql,
  failedVersionSql,
  requestLeftSql,
  requestVersionSql,
} from "@/lib/orders/refunds/refund-versions";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { isShopError, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { REPLY_VERSION } from "@/lib/reviews/reply-version-sql";
import { listApprovals } from "@/lib/staff/approvals/list-approvals";
import type { InboxRecord } from "@/lib/staff/inbox/contract";
import { findStuckItem } from "@/lib/staff/stuck/list-stuck";
import { RETRIED_KINDS, STUCK_KINDS } from "@/lib/staff/stuck/rules";
import { QUEUES, type QueueName } from "@/lib/staff/today/rules";
import {
  mayRestrict,
  type ReportRow,
  reportColumns,
  reportPath,
} from "@/lib/support/reports/list-console-reports";
import { standingDecision } from "@/lib/support/reports/rules";

type Action = InboxRecord["actions"][number];
type Fact = InboxRecord["facts"][number];
type Found = {
  facts: (Fact | null)[];
  quote?: string | null;
  actions?: Action[];
  blocked_by?: string | null;
  reader?: Locale;
};

const text = (name: string, value: string | null | undefined): Fact | null =>
  value ? { name, kind: "text", value, path: null } : null;
const link = (name: string, value: string | null | undefined, path: string): Fact | null =>
  value ? { name, kind: "link", value, path } : null;
const time = (name: string, value: string | null): Fact | null =>
  value ? { name, kind: "time", value: instant(value), path: null } : null;
/** `value`: cents */
const money = (name: string, value: number): Fact => ({
  name,
  kind: "money",
  value: String(value),
  path: null,
});
const count = (name: string, value: number): Fact => ({
  name,
  kind: "count",
  value: String(value),
  path: null,
});
const order = (number: string) => link("order", number, `/console/orders/${number}`);

type ActionInput = Partial<Pick<Action, "body" | "note" | "danger" | "preview">>;
const action = (
  name: string,
  path: string,
  { body = {}, note = null, danger = false, preview = true }: ActionInput = {},
): Action => ({
  name,
  path,
  body,
  note,
  danger,
  preview,
});
const NOTE = { field: "note", required: true };
const REASON = { field: "reason", required: true };

/** SQL: the pass of a line `l` of an order `o`, and its buyer `u`. */
const passColumns = (locale: Locale) => sql`
  o.order_number as number, u.id as buyer_id, u.email, u.locale as reader, p.vendor, l.pass_type as type, l.duration_days as days,
  coalesce(t.name, translate_product_text(e.name, ${locale})) as product`;
const passJoins = (locale: Locale) => sql`
  join users u on u.id = o.user_id left join products p on p.id = l.product_id
  left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
  left join product_texts e on e.product_id = l.product_id and e.locale = 'en'`;
type PassRow = {
  number: string;
  buyer_id: string;
  email: string;
  reader: Locale;
  vendor: string | null;
  type: PassType | null;
  days: number | null;
  product: string | null;
  version: string;
};

const passFacts = ({ number, buyer_id, email, vendor, type, days, product }: PassRow, locale: Locale) => [
  order(number),
  text(
    "pass",
    product && type && `${product} · ${passLabel({ pass_type: type, duration_days: days }, locale)}`,
  ),
  link("buyer", email, `/console/customers/${buyer_id}`),
  text("vendor", vendor),
];

type Find = (id: string, viewer: StaffViewer, locale: Locale) => Promise<Found | null>;

async function first<Row extends Record<string, unknown>>(statement: SQL): Promise<Row | null> {
  const [row] = await db.execute(statement);
  return (row as Row | undefined) ?? null;
}

const refundRequest: Find = async (id, _, locale) => {
  type Row = PassRow & {
    cents: number;
    answer_by: string;
    codes: number;
    seen: number;
    disputed: boolean;
    asked_by: string | null;
    stated_country: string | null;
    country: string | null;
  };
  const row = await first<Row>(sql`
    select ${passColumns(locale)}, ${requestLeftSql("q", "l")} as cents, q.answer_by, ${CODES_SQL} as codes, ${CODES_SEEN_SQL} as seen,
      ${DISPUTED_SQL} as disputed, (select s.email from users s where s.id = q.asked_by) as asked_by, q.stated_country, o.country,
      ${requestVersionSql("q")} as version
    from refund_requests q join order_lines l on l.id = q.order_line_id join orders o on o.id = l.order_id ${passJoins(locale)}
    where q.id = ${id} and q.state = 'asked'`);
  if (!row) return null;
  const path = `/admin/refunds/${id}`;
  const body = { version: row.version };
  return {
    facts: [
      money("amount", row.cents),
      time("answer_by", row.answer_by),
      ...passFacts(row, locale),
      text("codes_seen", `${row.seen} / ${row.codes}`),
      text("stated_country", row.stated_country && `${row.stated_country} (${row.country ?? "–"})`),
      text("asked_by", row.asked_by),
    ],
    blocked_by: row.disputed ? "disputed" : null,
    reader: row.reader,
    actions: [
      action("approve_refund", `${path}/approve`, { body }),
      action("refuse", `${path}/refuse`, { body, note: REASON, danger: true }),
    ],
  };
};

const failedRefund: Find = async (id, _, locale) => {
  type Row = PassRow & { cents: number; at: string; failure: string | null };
  const row = await first<Row>(sql`
    select ${passColumns(locale)}, ${failedLeftSql("r")} as cents, r.updated_at as at, ${failedVersionSql("r")} as version,
      (select a.detail->>'reason' from audit_entries a where a.action = 'refund_failed' and a.subject = o.id
        and a.detail->>'refundId' = r.id limit 1) as failure
    from refunds r join orders o on o.id = r.order_id left join order_lines l on l.id = r.order_line_id ${passJoins(locale)}
    where r.id = ${id} and r.state = 'failed'`);
  return (
    row && {
      facts: [
        money("amount", row.cents),
        ...passFacts(row, locale),
        time("failed_at", row.at),
        text("error", row.failure),
      ],
      actions: [
        action("settle", `/admin/refunds/${id}/settle`, {
          body: { version: row.version },
          note: NOTE,
          danger: true,
        }),
      ],
    }
  );
};

const declaration: Find = async (id) => {
  const [row] = await db.execute<ConsoleDeclaration>(sql`
    select d.id as declaration_id, ${declarationSql("d")} from withdrawal_declarations d where d.id = ${id} and ${OPEN_DECLARATION}`);
  if (!row) return null;
  const [shown] = await maskWords([row]);
  const path = `/admin/declarations/${id}`;
  const body = { version: row.version };
  return {
    facts: [
      row.order_number ? order(row.order_number) : text("order", row.order_ref),
      text("to", row.email),
      text("name", shown!.name),
      time("declared_at", row.declared_at),
      time("refund_due", row.due_at),
      count("times", row.times),
    ],
    quote: shown!.passes,
    blocked_by: row.order_number ? null : "no_order",
    actions: [
      ...(row.order_number ? [action("send_code", `${path}/code`, { body })] : []),
      action("close", `${path}/close`, { body, note: NOTE, danger: true }),
    ],
  };
};

const fraudWarning: Find = async (id, viewer) => {
  const [row] = await db.execute<WarningRow & { own: boolean }>(sql`
    select w.id as warning_id, ${WARNING_COLUMNS}, o.user_id = ${viewer.userId} as own
    from fraud_warnings w ${WARNING_JOINS} where w.id = ${id} and ${OPEN_WARNING}`);
  if (!row) return null;
  const { codes } = row;
  const path = `/admin/fraud-warnings/${id}`;
  const decision = { body: { version: row.version }, note: NOTE };
  return {
    facts: [
      money("amount", row.cents),
      order(row.order_number),
      link("buyer", row.email, `/console/customers/${row.customer_id}`),
      text("fraud_type", row.fraud_type),
      time("warned_at", row.created_at),
      count("codes", codes.length),
      ...codes.flatMap(({ mailed_at, revealed_at }) => [
        time("code_mailed", mailed_at),
        time("code_shown", revealed_at),
      ]),
    ],
    blocked_by: row.own ? "own_request" : null,
    actions: row.own
      ? []
      : [
          action("refund_order", `${path}/refund`, { ...decision, danger: true }),
          action("let_stand", `${path}/release`, decision),
        ],
  };
};

const contentReport: Find = async (id, viewer) => {
  const [row] = await db.execute<ReportRow>(sql`
    select w.id as report_id, ${reportColumns(viewer.userId)} from content_reports w where w.id = ${id}`);
  if (!row || (row.decided_at && !row.appealed)) return null;
  const appeal = row.appeals.find(({ decided_at }) => decided_at === null);
  const { outcome, statement: reasons, decided_at: decidedAt } = row;
  const standing =
    outcome && decidedAt
      ? standingDecision(
          { outcome, statement: reasons, decidedAt },
          row.appeals.map((one) => ({ ...one, at: one.created_at, decidedAt: one.decided_at })),
        )
      : null;
  const path = `/admin/reports/${id}/${appeal ? "appeal" : "decide"}`;
  const statement = { field: "statement", required: true };
  const to = (outcome: string) => ({ body: { version: row.version, outcome }, note: statement });
  const lacksRight = row.changes_shop && !mayRestrict(viewer, row.kind);
  const decisions = appeal
    ? [
        action("reject_objection", path, to("upheld")),
        action("reverse", path, { ...to("reversed"), danger: true }),
      ]
    : [action("keep", path, to("kept")), action("restrict", path, { ...to("restricted"), danger: true })];
  return {
    facts: [
      link("reported", row.target_name, reportPath(row)),
      text("report_reason", row.reason),
      text("to", row.email),
      time("since", row.created_at),
      text("decision", standing?.outcome ?? null),
      text("reasons", standing?.statement ?? null),
      text("report_words", appeal ? row.text : null),
    ],
    quote: appeal?.text ?? row.text,
    blocked_by: appeal && row.own_decision ? "own_decision" : lacksRight ? "report_right_missing" : null,
    actions: appeal && row.own_decision ? [] : decisions,
  };
};

const replacement: Find = async (id, viewer, locale) => {
  type Row = PassRow & {
    at: string;
    reason: string;
    order_id: string;
    asker: string;
    shown: number;
    earlier: number;
    stock: boolean;
    own: boolean;
    locked: boolean;
  };
  const row = await first<Row>(sql`
    select ${passColumns(locale)}, r.created_at as at, r.reason, o.id as order_id, r.user_id as asker, ${replacementVersionSql("r")} as version,
      (select count(*)::int from (select from key_events v where v.key_id = r.key_id and v.event in ('revealed', 'mailed') limit 100) v) as shown,
      (select count(*)::int from (select from replacement_requests x where x.user_id = r.user_id and x.id <> r.id limit 100) x) as earlier,
      exists (select from keys k where k.plan_id = l.plan_id and ${sql.raw(SELLABLE_KEY)}) as stock,
      ${viewer.userId} in (r.user_id, r.asked_by, o.user_id) as own,
      k.state <> 'assigned' or ${disputedSql("l")} or ${refundRequestedSql("l")} or ${warnedSql("o.id")} as locked
    from replacement_requests r join keys k on k.id = r.key_id join order_lines l on l.id = k.order_line_id
    join orders o on o.id = l.order_id ${passJoins(locale)} where r.id = ${id} and r.state = 'asked'`);
  if (!row) return null;
  const [quote] = await maskCodes([
    { text: row.reason, scope: { shopperId: row.asker, orderId: row.order_id } },
  ]);
  const path = `/admin/replacements/${id}`;
  const body = { version: row.version };
  return {
    facts: [
      ...passFacts(row, locale),
      time("asked_at", row.at),
      count("shown", row.shown),
      count("earlier", row.earlier),
    ],
    quote: quote ?? null,
    reader: row.reader,
    blocked_by: row.own ? "own_request" : row.locked ? "code_locked" : row.stock ? null : "no_stock",
    actions: [
      ...(row.own || row.locked || !row.stock ? [] : [action("replace", `${path}/approve`, { body })]),
      ...(row.own ? [] : [action("refuse", `${path}/refuse`, { body, note: REASON, danger: true })]),
    ],
  };
};

const failedMail: Find = async (id, viewer) => {
  type Row = {
    event: ConsoleMail["event"];
    to: string;
    error: string | null;
    number: string | null;
    attempts: number;
    state: ConsoleMail["state"];
    at: string;
  };
  const row = await first<Row>(sql`
    select m.event, m.to_address as to, m.last_error as error, m.order_number as number, m.attempts, m.state, m.created_at as at
    from mails m where m.id = ${id} and m.state = 'failed'`);
  if (!row) return null;
  const mayRepeat = isRepeatableMail(row) && mayStaff(viewer.staff.roles, "mails.resend");
  return {
    facts: [
      text("mail", row.event),
      text("to", row.to),
      row.number ? order(row.number) : null,
      time("since", row.at),
      count("attempts", row.attempts),
      text("error", row.error),
    ],
    actions: [
      ...(mayRepeat ? [action("send_again", `/admin/mails/${id}/again`)] : []),
      ...(mayStaff(viewer.staff.roles, "mails.resend")
        ? [action("dismiss", `/admin/mails/${id}/dismiss`, { note: REASON, danger: true })]
        : []),
    ],
  };
};

const approval: Find = async (id, viewer) => {
  const found = (await listApprovals(viewer, "open")).items.find(({ approval_id }) => approval_id === id);
  if (!found?.decidable) return null;
  const note = { field: "note", required: false };
  const body = { version: found.version };
  return {
    facts: [
      text("approval", found.kind),
      text("about", found.subject),
      text("asked_by", found.asked_by),
      time("asked_at", found.asked_at),
      time("until", found.expires_at),
    ],
    quote: found.note,
    actions: [
      action("approve", `/admin/approvals/${id}/approve`, { body, note }),
      action("refuse", `/admin/approvals/${id}/refuse`, { body, note, danger: true }),
    ],
  };
};

const reply: Find = async (id) => {
  type Row = {
    text: string;
    merchant: string;
    rating: number;
    title: string;
    content: string;
    at: string;
    version: string;
  };
  const row = await first<Row>(sql`
    select y.text, m.name as merchant, r.rating, r.title, r.content, y.created_at as at, ${REPLY_VERSION} as version
    from review_replies y join reviews r on r.id = y.review_id join merchants m on m.id = y.merchant_id
    where y.review_id = ${id} and y.state = 'waiting'`);
  if (!row) return null;
  const path = `/admin/reviews/${id}/reply`;
  const body = { version: row.version };
  return {
    facts: [
      text("merchant", row.merchant),
      text("review", `${"★".repeat(row.rating)} ${row.title}: ${row.content}`),
      time("since", row.at),
    ],
    quote: row.text,
    actions: [
      action("show", `${path}/show`, { body, preview: false }),
      action("refuse", `${path}/refuse`, { body, note: NOTE, danger: true, preview: false }),
    ],
  };
};

/** A merchant by its id; null for an unknown one. */
async function findMerchant(id: string) {
  try {
    return await getConsoleMerchant(id);
  } catch (error) {
    if (isShopError(error, "merchant_unknown")) return null;
    throw error;
  }
}

const merchantName: Find = async (id) => {
  const merchant = await findMerchant(id);
  const asked = merchant?.proposed_name;
  if (!merchant || !asked) return null;
  const path = `/admin/merchants/${id}/name`;
  const body = { version: asked.version };
  return {
    facts: [
      link("merchant", merchant.name, `/console/merchants/${id}`),
      text("new_name", asked.name),
      time("since", asked.at),
    ],
    actions: [
      action("approve", `${path}/approve`, { body }),
      action("refuse", `${path}/refuse`, { body, note: NOTE, danger: true }),
    ],
  };
};

const stoppedMerchant: Find = async (id) => {
  const merchant = await findMerchant(id);
  if (!merchant?.keys_stopped_at) return null;
  const body = { version: merchant.keys_version };
  return {
    facts: [
      link("merchant", merchant.name, `/console/merchants/${id}`),
      time("since", merchant.keys_stopped_at),
    ],
    actions: [action("allow_keys", `/admin/merchants/${id}/allow-keys`, { body, preview: false })],
  };
};

const highDiscounts: Find = async (id) => {
  const merchant = await findMerchant(id);
  const discounts = merchant?.discounts;
  if (!merchant || !discounts?.high_since) return null;
  const cents = (dollars: number) => Math.round(dollars * 100);
  return {
    facts: [
      link("merchant", merchant.name, `/console/merchants/${id}`),
      money("sold", cents(discounts.gross)),
      money("shop_paid", cents(discounts.shop_paid)),
      time("since", discounts.high_since),
    ],
    actions: [
      action("looked", `/admin/merchants/${id}/discounts-looked`, {
        body: { version: discounts.version },
        note: { field: "note", required: false },
      }),
    ],
  };
};

const stuckItem: Find = async (key, viewer, locale) => {
  const [kind, id] = [key.slice(0, key.indexOf("/")), key.slice(key.indexOf("/") + 1)];
  const known = STUCK_KINDS.find((one) => one === kind);
  const item = known && (await findStuckItem(db, known, id, locale));
  if (!item) return null;
  const mayRetry = RETRIED_KINDS.some((one) => one === kind) && mayStaff(viewer.staff.roles, "stuck.retry");
  return {
    facts: [
      text("about", item.about),
      item.order_number ? order(item.order_number) : null,
      time("since", item.since),
      text("error", item.error),
    ],
    actions: mayRetry ? [action("retry", "/admin/stuck/retry", { body: { kind, id }, preview: false })] : [],
  };
};

const question: Find = async (id, { staff, userId }) => {
  type Row = { number: string; cents: number; at: string; note: string; by: string; role: string };
  const row = await first<Row>(sql`
    select o.order_number as number, o.total_cents as cents, k.at, k.note, k.handed_to as role,
      (select u.email from users u where u.id = k.marked_by) as by
    from inbox_marks k join orders o on o.id = k.id
    where k.key = ${`asked:${id}`} and (k.marked_by = ${userId} or k.handed_to = any(${sql.param([...staff.roles])}::text[]))`);
  return (
    row && {
      facts: [
        order(row.number),
        money("order_total", row.cents),
        text("asked_by", row.by),
        time("asked_at", row.at),
      ],
      quote: row.note,
      actions: [action("done", `/admin/inbox/asked/${id}/done`, { preview: false })],
    }
  );
};

const soldOut: Find = async (id, _, locale) => {
  if (!/^\d{1,9}$/.test(id)) return null;
  type Row = {
    product: string;
    slug: string;
    type: PassType;
    days: number | null;
    people: number;
    since: string | null;
    merchant: string | null;
  };
  const row = await first<Row>(sql`
    select coalesce(t.name, translate_product_text(e.name, ${locale})) as product, p.slug, v.type, v.duration_days as days, m.name as merchant,
      w.people, w.since
    from plans v join products p on p.id = v.product_id left join merchants m on m.id = p.merchant_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    cross join lateral (select count(*)::int as people, min(created_at) as since
      from (select created_at from wait_list where plan_id = v.id and outcome is null order by created_at limit 1000) q) w
    where v.id = ${Number(id)}`);
  return (
    row && {
      facts: [
        link(
          "pass",
          `${row.product} · ${passLabel({ pass_type: row.type, duration_days: row.days }, locale)}`,
          `/console/keys?vip_id=${id}`,
        ),
        text("merchant", row.merchant),
        count("people", row.people),
        time("since", row.since),
      ],
    }
  );
};

/** Those without a record here are shown by their own screens. */
const RECORDS: Partial<Record<QueueName, Find>> = {
  asked: question,
  refund_requests: refundRequest,
  declarations: declaration,
  fraud_warnings: fraudWarning,
  reports: contentReport,
  failed_refunds: failedRefund,
  replacements: replacement,
  failed_mails: failedMail,
  approvals: approval,
  replies: reply,
  merchant_names: merchantName,
  stopped_merchants: stoppedMerchant,
  high_discounts: highDiscounts,
  stuck: stuckItem,
  sold_out: soldOut,
};

/** One thing of the inbox with the calls that decide about it; null when it waits no more, or has its own screen. */
export async function findInboxRecord(
  viewer: StaffViewer,
  key: string,
  locale: Locale,
): Promise<InboxRecord | null> {
  const [queue, id] = [key.slice(0, key.indexOf(":")) as QueueName, key.slice(key.indexOf(":") + 1)];
  const known = QUEUES.find(({ name }) => name === queue);
  if (!known || !mayStaff(viewer.staff.roles, known.permission)) return null;
  const found = await RECORDS[queue]?.(id, viewer, locale);
  if (!found) return null;
  const { facts, quote = null, actions = [], blocked_by = null, reader = null } = found;
  return { key, queue, facts: facts.filter((fact) => fact !== null), quote, actions, blocked_by, reader };
}

/** @throws ShopError item_unknown */
export async function getInboxRecord(viewer: StaffViewer, key: string, locale: Locale): Promise<InboxRecord> {
  const record = await findInboxRecord(viewer, key, locale);
  if (!record) throw new ShopError("item_unknown");
  return record;
}
