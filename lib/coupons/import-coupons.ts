import { eq, sql } from "drizzle-orm";
import { type Db, db, dryRun, type Tx, transaction } from "@/db/client";
import { coupons } from "@/db/schema/coupons";
import { changeLockedCampaign, lockCampaign } from "@/lib/coupons/campaigns/change-locked-campaign";
import { budgetPerCoupon, chargeBudget } from "@/lib/coupons/campaigns/charge-budget";
import { addCampaign } from "@/lib/coupons/campaigns/create-campaign";
import { isCodeTaken, shopNow } from "@/lib/coupons/campaigns/find-campaign";
import { findTextsWithCode } from "@/lib/delivery/code-text/find-codes";
import { firstFailure } from "@/lib/platform/api/validation-messages";
import { audit } from "@/lib/platform/audit";
import { readLines } from "@/lib/platform/content/lines";
import { newId } from "@/lib/platform/crypto/ids";
import { type Reason, reason } from "@/lib/platform/error-messages";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { spreadsheetDamage } from "@/lib/platform/imports/spreadsheet";
import { type CampaignLine, type CouponLine, ImportLine } from "./contract-import";
import { faceCents } from "./give-coupon";

export type CouponImportError = { line: number; path: string } & Reason;
export type CouponImportCounts = { added: number; changed: number; unchanged: number; refused: number };
type ImportOptions = {
  /** the actor in the audit log */
  actor: string;
  preview?: boolean;
  /** Whether the importing person alone may give a campaign this monthly budget instead of that before. */
  mayRaiseBudget?: MayRaiseBudget;
  /** Takes codes that look like numbers or dates of a spreadsheet. */
  confirmHeld?: boolean | undefined;
  /** Refuses coupons beyond this face value of all added ones together. */
  faceLimitCents?: number;
  /** Whether the importing person may mark campaigns as free. */
  mayMarkFree?: boolean;
  onRefused?: (refusal: CouponImportError) => void;
  /** Called after each line. */
  onProgress?: (counts: CouponImportCounts) => void;
  /** Called with the face value of the coupons that were added, in cents. */
  onFaceValue?: (cents: number) => void;
};
/** Budgets in cents; null: no cap. The transaction also writes the change to the audit log. */
type MayRaiseBudget = (tx: Tx, before: number | null, after: number | null) => Promise<boolean>;
type Outcome = { outcome: "added" | "changed" | "unchanged"; faceCents?: number };
/** What a line may do. */
type Rights = {
  actor: string;
  mayRaiseBudget: MayRaiseBudget;
  mayMarkFree: boolean;
  /** of the coupons that may still be added */
  faceLeftCents: number;
};

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
 * all, and importing a file twice changes nothing. A coupon keeps its campaign's terms as of the import, and takes its
 * share of the campaign's budgets like one that is issued.
 */
export async function importCoupons(source: AsyncIterable<Buffer>, options: ImportOptions) {
  return options.preview ? dryRun((tx) => importInto(tx, source, options)) : importInto(db, source, options);
}

async function importInto(
  parent: Db,
  source: AsyncIterable<Buffer>,
  {
    actor,
    onRefused,
    onProgress,
    onFaceValue,
    confirmHeld,
    mayRaiseBudget = async () => true,
    faceLimitCents = Infinity,
    mayMarkFree = true,
  }: ImportOptions,
): Promise<CouponImportCounts> {
  let addedFaceCents = 0;
  const counts: CouponImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  for await (const line of readLines(source, LINE_LIMIT_BYTES)) {
    if (line.problem === undefined && line.text.trim() === "") continue;
    try {
      if (line.problem !== undefined) throw new LineError(line.problem);
      const value = readLine(line.text);
      if (value.code !== undefined) requireIntactCode(value.code, confirmHeld);
      await rejectActivationCodes(parent, value);
      const rights = {
        actor,
        mayRaiseBudget,
        mayMarkFree,
        faceLeftCents: faceLimitCents - addedFaceCents,
      };
      const { outcome, faceCents: cents = 0 } = await transaction(
        (tx) => (value.kind === "campaign" ? saveCampaign(tx, value, rights) : saveCoupon(tx, value, rights)),
        { within: parent },
      );
      counts[outcome] += 1;
      addedFaceCents += cents;
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      counts.refused += 1;
      onRefused?.({ line: line.number, path: error.path, ...error.reason });
    }
    onProgress?.(counts);
  }
  onFaceValue?.(addedFaceCents);
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

/** Refuses an activation code where its line would store it in clear text: in a title or as a coupon's code. */
async function rejectActivationCodes(tx: Db, line: CampaignLine | CouponLine): Promise<void> {
  const texts: [path: string, text: string][] = line.code === undefined ? [] : [["code", line.code]];
  if (line.kind === "campaign")
    texts.push(
      ["id", line.id],
      ...LOCALES.map((locale): [string, string] => [`title.${locale}`, line.title[locale]]),
    );
  const found = await findTextsWithCode(
    tx,
    texts.map(([, text]) => text),
  );
  const [path] = texts[found.indexOf(true)] ?? [];
  if (path !== undefined) throw rejected(path, "note_has_code");
}

async function saveCampaign(
  tx: Tx,
  line: CampaignLine,
  { actor, mayRaiseBudget, mayMarkFree }: Rights,
): Promise<Outcome> {
  const existing = await lockCampaign(tx, line.id);
  const budget = line.monthly_budget ?? null;
  if (!(await mayRaiseBudget(tx, existing ? existing.monthlyBudgetCents : 0, budget)))
    throw rejected("monthly_budget", "campaign_budget_approval");
  if (line.free && !existing?.free && !mayMarkFree) throw rejected("free", "campaign_free_refused");
  if (existing && existing.kind !== "promotion") throw rejected("id", "campaign_built_in", { id: line.id });
  if (line.code) await assertCodeAvailable(tx, line.code, line.id);
  // An existing campaign may be ended early, but a new one must end in the future.
  if (!existing && line.ends_at) await assertFuture(tx, "ends_at", line.ends_at);
  const terms = {
    title: line.title,
    code: line.code ?? null,
    amountCents: line.amount ?? null,
    percent: line.percent ?? null,
    maxDiscountCents: line.max_discount ?? null,
    minimumCents: line.minimum ?? 0,
    firstOrderOnly: line.first_order_only,
    free: line.free,
    validHours: line.valid_hours ?? null,
    startsAt: line.starts_at ? new Date(line.starts_at) : null,
    endsAt: line.ends_at ? new Date(line.ends_at) : null,
    monthlyBudgetCents: line.monthly_budget ?? null,
    dailyBudgetCents: line.daily_budget ?? null,
  };
  if (existing)
    return {
      outcome: (await changeLockedCampaign(tx, existing, terms, { by: actor })) ? "changed" : "unchanged",
    };
  if (!(await addCampaign(tx, line.id, terms, { by: actor })))
    throw new Error(`${line.id} was added meanwhile`);
  return { outcome: "added" };
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

async function saveCoupon(tx: Tx, line: CouponLine, { actor, faceLeftCents }: Rights): Promise<Outcome> {
  const [existing] = await tx
    .select({ campaignId: coupons.campaignId })
    .from(coupons)
    .where(eq(coupons.code, line.code));
  if (existing?.campaignId === line.campaign) return { outcome: "unchanged" };
  await assertCodeAvailable(tx, line.code, null);
  if (line.expires_at) await assertFuture(tx, "expires_at", line.expires_at);
  const campaign = await lockCampaign(tx, line.campaign);
  if (campaign?.kind !== "promotion") throw rejected("campaign", "campaign_missing", { id: line.campaign });
  const toTime = (text: string | undefined, otherwise: Date | null) => (text ? new Date(text) : otherwise);
  const { amountCents, percent, maxDiscountCents, minimumCents, firstOrderOnly, free } = campaign;
  const terms = {
    campaignId: campaign.id,
    amountCents,
    percent,
    maxDiscountCents,
    minimumCents,
    firstOrderOnly,
    free,
    startsAt: toTime(line.starts_at, campaign.startsAt),
    expiresAt: toTime(line.expires_at, campaign.endsAt),
  };
  if (terms.expiresAt && terms.expiresAt <= (await shopNow(tx)))
    throw rejected("campaign", "campaign_ended", { id: line.campaign });
  if (!campaign.enabled) throw rejected("campaign", "campaign_off", { id: line.campaign });
  const face = faceCents(campaign);
  const month = await chargeBudget(tx, campaign, sql`true`);
  if (!month) throw rejected("campaign", "campaign_spent", { id: line.campaign });
  if (face > faceLeftCents) throw rejected("", "coupon_face_approval");
  const id = newId("cpn");
  const promised = { promisedCents: budgetPerCoupon(campaign), promisedMonth: month };
  await tx.insert(coupons).values({ id, code: line.code, ...terms, ...promised });
  await audit({ actor, action: "coupon_imported", subject: id, detail: { after: terms } }, tx);
  return { outcome: "added", faceCents: face };
}
