import { isDeepStrictEqual } from "node:util";
import { eq, sql } from "drizzle-orm";
import { type Db, db, dryRun, transaction } from "@/db/client";
import { campaigns, coupons } from "@/db/schema/coupons";
import { isCodeTaken } from "@/lib/coupons/campaigns/queries";
import { firstFailure } from "@/lib/platform/api/validation-messages";
import { readLines } from "@/lib/platform/content/lines";
import { newId } from "@/lib/platform/crypto/ids";
import { type Reason, reason } from "@/lib/platform/error-messages";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { spreadsheetDamage } from "@/lib/platform/imports/spreadsheet";
import { type CampaignLine, type CouponLine, ImportLine } from "./contract";

export type CouponImportError = { line: number; path: string } & Reason;
export type CouponImportCounts = { added: number; changed: number; unchanged: number; refused: number };
type ImportOptions = {
  preview?: boolean;
  /** Refuses a campaign whose monthly budget would rise above this, or become unlimited. */
  budgetLimitCents?: number;
  /** Takes codes that look like numbers or dates of a spreadsheet. */
  confirmHeld?: boolean | undefined;
  onRefused?: (refusal: CouponImportError) => void;
  /** Called after each line. */
  onProgress?: (counts: CouponImportCounts) => void;
};
type Outcome = "added" | "changed" | "unchanged";

const LINE_LIMIT_BYTES = 16 * 1024;

/** Rejects one line, because of one of its fields or as a whole. */
class LineError extends Error {
  constructor(
    readonly reason: Reason,
    readonly path = "",
  ) {
    super(reason.message);
  }
}
const rejected = (path: string, error: ErrorName, values?: ErrorParams) =>
  new LineError(reason(error, values), path);

/**
 * Imports campaigns and coupons from a stream with one JSON object per line. Each line is imported completely or not at
 * all, and importing a file twice changes nothing. A coupon keeps its campaign's terms as of the import.
 */
export async function importCoupons(source: AsyncIterable<Buffer>, options: ImportOptions = {}) {
  return options.preview ? dryRun((tx) => importInto(tx, source, options)) : importInto(db, source, options);
}

async function importInto(
  parent: Db,
  source: AsyncIterable<Buffer>,
  { onRefused, onProgress, confirmHeld, budgetLimitCents = Infinity }: ImportOptions,
): Promise<CouponImportCounts> {
  const counts: CouponImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  for await (const line of readLines(source, LINE_LIMIT_BYTES)) {
    if (line.problem === undefined && line.text.trim() === "") continue;
    try {
      if (line.problem !== undefined) throw new LineError(line.problem);
      const value = readLine(line.text);
      if (value.code !== undefined) requireIntactCode(value.code, confirmHeld);
      const outcome = await transaction(
        (tx) =>
          value.kind === "campaign" ? saveCampaign(tx, value, budgetLimitCents) : saveCoupon(tx, value),
        { within: parent },
      );
      counts[outcome] += 1;
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      counts.refused += 1;
      onRefused?.({ line: line.number, path: error.path, ...error.reason });
    }
    onProgress?.(counts);
  }
  return counts;
}

function readLine(text: string): CampaignLine | CouponLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw rejected("", "line_json");
  }
  const parsed = ImportLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, name, params } = firstFailure(parsed.error.issues[0]!, value);
  throw rejected(path, name, params);
}

/** Refuses a code that a spreadsheet has changed, and holds one that it may have changed. */
function requireIntactCode(code: string, confirmHeld: boolean | undefined): void {
  const damage = spreadsheetDamage(code);
  if (damage === "certain") throw rejected("code", "code_spreadsheet");
  if (damage && !confirmHeld) throw rejected("code", "code_held");
}

async function saveCampaign(tx: Db, line: CampaignLine, budgetLimitCents: number): Promise<Outcome> {
  const [existing] = await tx.select().from(campaigns).where(eq(campaigns.id, line.id)).for("update");
  const budget = line.monthly_budget ?? Infinity;
  const previous = existing ? (existing.monthlyBudgetCents ?? Infinity) : 0;
  if (budget > budgetLimitCents && budget > previous)
    throw rejected("monthly_budget", "campaign_budget_approval", { limit: budgetLimitCents / 100 });
  if (existing && existing.kind !== "promotion") throw rejected("id", "campaign_built_in", { id: line.id });
  if (line.code) await assertCodeAvailable(tx, line.code, line.id);
  // An existing campaign may be ended early, but a new one must end in the future.
  if (!existing && line.ends_at) await assertFuture(tx, "ends_at", line.ends_at);
  const row = {
    title: line.title,
    code: line.code ?? null,
    amountCents: line.amount ?? null,
    percent: line.percent ?? null,
    maxDiscountCents: line.max_discount ?? null,
    minimumCents: line.minimum ?? 0,
    firstOrderOnly: line.first_order_only,
    validHours: line.valid_hours ?? null,
    startsAt: line.starts_at ? new Date(line.starts_at) : null,
    endsAt: line.ends_at ? new Date(line.ends_at) : null,
    monthlyBudgetCents: line.monthly_budget ?? null,
  };
  if (existing && isDeepStrictEqual({ ...existing, ...row }, existing)) return "unchanged";
  await tx
    .insert(campaigns)
    .values({ id: line.id, kind: "promotion", ...row })
    .onConflictDoUpdate({ target: campaigns.id, set: row });
  return existing ? "changed" : "added";
}

/** A code is unique among coupons and public campaign codes. */
async function assertCodeAvailable(tx: Db, code: string, campaignId: string | null): Promise<void> {
  if (await isCodeTaken(tx, code, campaignId)) throw rejected("code", "coupon_code_taken", { code });
}

async function assertFuture(tx: Db, field: string, time: string): Promise<void> {
  const [row] = await tx.execute<{ is_past: boolean }>(sql`
    select ${time}::timestamptz <= shop_now() as is_past`);
  if (row!.is_past) throw rejected(field, "time_past", { time });
}

async function saveCoupon(tx: Db, line: CouponLine): Promise<Outcome> {
  const [existing] = await tx
    .select({ campaignId: coupons.campaignId })
    .from(coupons)
    .where(eq(coupons.code, line.code));
  if (existing?.campaignId === line.campaign) return "unchanged";
  await assertCodeAvailable(tx, line.code, null);
  if (line.expires_at) await assertFuture(tx, "expires_at", line.expires_at);
  const inserted = await tx.execute<{ expired: boolean }>(sql`
    insert into coupons (id, code, campaign_id, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, starts_at, expires_at)
    select ${newId("cpn")}, ${line.code}, g.id, g.amount_cents, g.percent, g.max_discount_cents, g.minimum_cents,
      g.first_order_only, coalesce(${line.starts_at ?? null}::timestamptz, g.starts_at),
      coalesce(${line.expires_at ?? null}::timestamptz, g.ends_at)
    from campaigns g where g.id = ${line.campaign} and g.kind = 'promotion'
    returning coalesce(expires_at <= shop_now(), false) as expired`);
  if (inserted.length === 0) throw rejected("campaign", "campaign_missing", { id: line.campaign });
  if (inserted[0]!.expired) throw rejected("campaign", "campaign_ended", { id: line.campaign });
  return "added";
}
