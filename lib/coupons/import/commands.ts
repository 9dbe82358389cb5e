import { sql } from "drizzle-orm";
import type { z } from "zod";
import { type Db, db, dryRun, transaction } from "@/db/client";
import { readLines } from "@/lib/platform/content/lines";
import { newId } from "@/lib/platform/crypto/ids";
import { type CampaignLine, type CouponLine, ImportLine } from "./contract";

export type CouponImportCounts = { added: number; changed: number; unchanged: number; refused: number };
export type CouponImportError = { line: number; message: string };
type Outcome = "added" | "changed" | "unchanged";

const LINE_LIMIT_BYTES = 16 * 1024;

/** Why a line is refused, in one sentence. */
class LineProblem extends Error {}

/**
 * Imports campaigns and coupons, one JSON object a line: streaming, all or nothing per line; the same file twice
 * changes nothing. A coupon keeps its campaign's terms as of the import.
 */
export async function importCoupons(
  source: AsyncIterable<Buffer>,
  options: { preview?: boolean; onRefused?: (refusal: CouponImportError) => void } = {},
): Promise<CouponImportCounts> {
  return options.preview ? dryRun((tx) => importInto(tx, source, options)) : importInto(db, source, options);
}

async function importInto(
  on: Db,
  source: AsyncIterable<Buffer>,
  { onRefused }: { onRefused?: (refusal: CouponImportError) => void },
): Promise<CouponImportCounts> {
  const counts: CouponImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  for await (const line of readLines(source, LINE_LIMIT_BYTES)) {
    if (line.problem === undefined && line.text.trim() === "") continue;
    try {
      if (line.problem !== undefined) throw new LineProblem(line.problem);
      const value = readLine(line.text);
      counts[
        await transaction(
          (tx) => (value.kind === "campaign" ? saveCampaign(tx, value) : saveCoupon(tx, value)),
          { within: on },
        )
      ] += 1;
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      counts.refused += 1;
      onRefused?.({ line: line.number, message: error.message });
    }
  }
  return counts;
}

function readLine(text: string): CampaignLine | CouponLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LineProblem("The line is not JSON.");
  }
  const parsed = ImportLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new LineProblem(`${issue.path.join(".") || "line"}: ${wordsOf(issue, value)}`);
}

const TYPES: Record<string, string> = {
  string: "a text in quotes",
  number: "a number without quotes",
  int: "a whole number",
  boolean: "true or false",
  object: "an object of fields",
};

/** The sentence for an invalid field. */
function wordsOf(issue: z.core.$ZodIssue, line: unknown): string {
  const given = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)?.[key], line);
  if (issue.code === "invalid_type")
    return given === undefined ? "is missing" : `is to be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === "unrecognized_keys") return `there is no field ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_format" && issue.format === "datetime")
    return "not a moment such as 2027-04-01T00:00:00Z";
  return issue.message;
}

async function saveCampaign(tx: Db, line: CampaignLine): Promise<Outcome> {
  const [before] = await tx.execute<{ kind: string }>(
    sql`select kind from campaigns where id = ${line.id} for update`,
  );
  if (before && before.kind !== "promotion")
    throw new LineProblem(`${line.id} is run by the shop itself: npm run staff -- vouchers`);
  if (line.code) await refuseTakenCode(tx, line.code, line.id);
  // An existing campaign may be ended early; a new one with a past end is a mistake.
  if (!before && line.ends_at) await refusePast(tx, "ends_at", line.ends_at);
  const saved = await tx.execute<{ fresh: boolean }>(sql`
    insert into campaigns as g (id, kind, title, code, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, valid_hours, starts_at, ends_at, monthly_budget_cents)
    values (${line.id}, 'promotion', ${JSON.stringify(line.title)}::jsonb, ${line.code ?? null}, ${line.amount ?? null},
      ${line.percent ?? null}, ${line.max_discount ?? null}, ${line.minimum ?? 0}, ${line.first_order_only},
      ${line.valid_hours ?? null}, ${line.starts_at ?? null}::timestamptz, ${line.ends_at ?? null}::timestamptz,
      ${line.monthly_budget ?? null})
    on conflict (id) do update set title = excluded.title, code = excluded.code, amount_cents = excluded.amount_cents,
      percent = excluded.percent, max_discount_cents = excluded.max_discount_cents, minimum_cents = excluded.minimum_cents,
      first_order_only = excluded.first_order_only, valid_hours = excluded.valid_hours, starts_at = excluded.starts_at,
      ends_at = excluded.ends_at, monthly_budget_cents = excluded.monthly_budget_cents
    where (g.title, g.code, g.amount_cents, g.percent, g.max_discount_cents, g.minimum_cents, g.first_order_only,
        g.valid_hours, g.starts_at, g.ends_at, g.monthly_budget_cents)
      is distinct from (excluded.title, excluded.code, excluded.amount_cents, excluded.percent, excluded.max_discount_cents,
        excluded.minimum_cents, excluded.first_order_only, excluded.valid_hours, excluded.starts_at, excluded.ends_at,
        excluded.monthly_budget_cents)
    returning xmax = 0 as fresh`);
  if (saved.length === 0) return "unchanged";
  return before ? "changed" : "added";
}

/** A code is unique among coupons and public campaign codes. */
async function refuseTakenCode(tx: Db, code: string, campaignId: string | null): Promise<void> {
  const taken = await tx.execute(sql`
    select 1 from coupons where code = ${code} union all
    select 1 from campaigns where code = ${code} and id is distinct from ${campaignId} limit 1`);
  if (taken.length > 0) throw new LineProblem(`The code ${code} is taken.`);
}

/** Refuses moments in the past. */
async function refusePast(tx: Db, field: string, moment: string): Promise<void> {
  const [row] = await tx.execute<{ over: boolean }>(sql`select ${moment}::timestamptz <= shop_now() as over`);
  if (row!.over) throw new LineProblem(`${field}: ${moment} is over already`);
}

async function saveCoupon(tx: Db, line: CouponLine): Promise<Outcome> {
  const [before] = await tx.execute<{ campaign_id: string }>(
    sql`select campaign_id from coupons where code = ${line.code}`,
  );
  if (before?.campaign_id === line.campaign) return "unchanged";
  await refuseTakenCode(tx, line.code, null);
  if (line.expires_at) await refusePast(tx, "expires_at", line.expires_at);
  const made = await tx.execute<{ over: boolean }>(sql`
    insert into coupons (id, code, campaign_id, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, starts_at, expires_at)
    select ${newId("cpn")}, ${line.code}, g.id, g.amount_cents, g.percent, g.max_discount_cents, g.minimum_cents,
      g.first_order_only, coalesce(${line.starts_at ?? null}::timestamptz, g.starts_at),
      coalesce(${line.expires_at ?? null}::timestamptz, g.ends_at)
    from campaigns g where g.id = ${line.campaign} and g.kind = 'promotion'
    returning coalesce(expires_at <= shop_now(), false) as over`);
  if (made.length === 0) throw new LineProblem(`There is no campaign ${line.campaign}.`);
  if (made[0]!.over) throw new LineProblem(`The campaign ${line.campaign} is over, and its coupons with it.`);
  return "added";
}
