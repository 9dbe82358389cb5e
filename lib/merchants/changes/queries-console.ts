import { type SQL, sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import type { MailProps } from "@/emails/render";
import { productNameSql } from "@/lib/catalog/console/queries";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import { memberNameSql } from "@/lib/merchants/states/queries";
import { ID_PATTERN, TEXT_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { type QueueState, WALKED_ROWS } from "@/lib/platform/console/list";
import {
  countQueue,
  isValue,
  type ListPlan,
  markColumns,
  pageSql,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ConsoleChange, ConsoleChangeList, ConsoleChangesInput } from "./contract-console";
import {
  CHANGE_COLUMNS,
  CHANGE_VERSION,
  changeFields,
  DETAIL_FIELDS,
  describeStored,
  type StoredChange,
  toChange,
} from "./queries";

const STATE: SortKey = { value: sql`c.state`, type: "text", pattern: TEXT_PATTERN };
const BY_PROPOSAL: readonly SortKey[] = [
  STATE,
  { value: sql`c.proposed_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`c.id`, type: "text", pattern: ID_PATTERN },
];

/** Reads changes by state, those that wait with the oldest first. */
export function planChanges({ state, merchant }: ConsoleChangesInput): ListPlan {
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
  const plan = planChanges(input);
  const rows = await listDb.execute<ConsoleChange & RowMarks>(sql`
    with ${pageSql(plan, input, SCREEN)}
    select c.id as change_id, ${changeFields(locale)}, m.handle as merchant, m.name as merchant_name, m.trust, ${DECIDER} as decided_by,
      ${markColumns("c")}
    from page c join merchants m on m.id = c.merchant_id order by c.place`);
  return toPage(plan, input, SCREEN, rows, toChange);
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

/** What the email about a decision says; null: the change is in another state now. */
export async function findDecidedChange(
  id: string,
  state: "approved" | "returned" | "refused",
  locale: Locale,
) {
  const [row] = await db.execute<{ product: string; path: string; note: string }>(sql`
    select coalesce(c.content #>> array['texts', ${locale}::text, 'name'], translate_product_text(c.content #>> '{texts,en,name}', ${locale})) as product,
      '/merchant/' || m.handle || '/changes/' || c.id as path, coalesce(c.note, '') as note
    from product_changes c join merchants m on m.id = c.merchant_id where c.id = ${id} and c.state = ${state}`);
  return row ?? null;
}

/** What the email about products that the shop changed says; null: nothing is left of it. */
export async function findProductsChanged(
  merchantId: string,
  changeIds: readonly string[],
  locale: Locale,
): Promise<MailProps["products-changed"] | null> {
  const rows = await db.execute<{ name: string; handle: string }>(sql`
    select coalesce(c.content #>> array['texts', ${locale}::text, 'name'], translate_product_text(c.content #>> '{texts,en,name}', ${locale})) as name, m.handle
    from product_changes c join merchants m on m.id = c.merchant_id
    where c.merchant_id = ${merchantId} and c.id = any(${sql.param([...changeIds])}::text[]) order by name`);
  const [first] = rows;
  if (!first) return null;
  const path = `/merchant/${first.handle}/changes${rows.length === 1 ? `/${changeIds[0]}` : ""}`;
  return { products: rows.map(({ name }) => name), path };
}

type PausedPlan = { name: string; handle: string; by: string | null; type: PassType; days: number | null };

/** The email to an owner about plans of a product that a member took off sale, and that nobody has resumed since. */
export async function findPauseMail(
  merchantId: string,
  { productId, plans, actor, locale }: { productId: number; plans: string[]; actor: string; locale: Locale },
): Promise<MailProps["plan-paused"] | null> {
  const rows = await db.execute<PausedPlan>(sql`
    select coalesce(${productNameSql("p.id", locale)}, p.slug) as name, m.handle, ${memberNameSql(sql`${actor}`)} as by,
      x.type, x.duration_days as days
    from plans x join products p on p.id = x.product_id join merchants m on m.id = p.merchant_id
    where p.id = ${productId} and m.id = ${merchantId} and x.availability = 'paused'
      and x.type || coalesce(':' || x.duration_days, '') = any(${sql.param(plans)}::text[]) order by x.position`);
  const [first] = rows;
  if (!first) return null;
  const labels = rows.map(({ type, days }) => passLabel({ pass_type: type, duration_days: days }, locale));
  return { handle: first.handle, productId, product: first.name, plans: labels, by: first.by ?? actor };
}
