import type { Tx } from "@/db/client";
import { campaigns } from "@/db/schema/coupons";
import { type CampaignActor, lockCampaign } from "@/lib/coupons/campaigns/change-locked-campaign";
import type { NewCampaignInput } from "@/lib/coupons/console/contract";
import { audit } from "@/lib/platform/audit";
import { ShopError } from "@/lib/platform/errors";
import { toCents } from "@/lib/platform/money";
import { isCodeTaken, shopNow } from "./find-campaign";

/** Adds a promotion. Returns false where there is a campaign with this id. */
export async function addCampaign(
  tx: Tx,
  id: string,
  terms: Omit<typeof campaigns.$inferInsert, "id" | "kind">,
  { by, askedBy }: CampaignActor,
): Promise<boolean> {
  const created = await tx
    .insert(campaigns)
    .values({ id, kind: "promotion", ...terms })
    .onConflictDoNothing({ target: campaigns.id })
    .returning({ id: campaigns.id });
  if (created.length === 0) return false;
  const detail = { after: terms, ...(askedBy && { askedBy }) };
  await audit({ actor: by, action: "campaign_created", subject: id, detail }, tx);
  return true;
}

/**
 * Creates a promotion, switched off.
 * @throws ShopError campaign_exists, campaign_code_taken, period_invalid
 */
export async function createCampaign(
  tx: Tx,
  input: NewCampaignInput,
  actor: CampaignActor,
): Promise<{ campaign: string }> {
  await requireNewCampaign(tx, input);
  const toCentsOrNull = (usd: number | undefined) => (usd === undefined ? null : toCents(usd));
  const { campaign: id, title, percent = null, coupon_code: code = null } = input;
  const terms = {
    title,
    code,
    percent,
    amountCents: toCentsOrNull(input.amount),
    maxDiscountCents: toCentsOrNull(input.max_discount),
    minimumCents: toCents(input.minimum),
    monthlyBudgetCents: toCents(input.monthly_budget),
    dailyBudgetCents: toCentsOrNull(input.daily_budget),
    free: input.free,
    endsAt: new Date(input.ends_at),
    enabled: false,
  };
  if (!(await addCampaign(tx, id, terms, actor))) throw new ShopError("campaign_exists");
  return { campaign: id };
}

/** @throws ShopError campaign_exists, campaign_code_taken, period_invalid */
export async function requireNewCampaign(tx: Tx, input: NewCampaignInput): Promise<void> {
  const { campaign: id, coupon_code: code } = input;
  if (await lockCampaign(tx, id)) throw new ShopError("campaign_exists");
  if (code !== undefined && (await isCodeTaken(tx, code, id))) throw new ShopError("campaign_code_taken");
  if (new Date(input.ends_at) <= (await shopNow(tx))) throw new ShopError("period_invalid");
}
