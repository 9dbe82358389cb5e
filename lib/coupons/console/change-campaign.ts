import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import {
  type CampaignChange,
  changeLockedCampaign,
  lockCampaign,
} from "@/lib/coupons/campaigns/change-locked-campaign";
import { createCampaign, requireNewCampaign } from "@/lib/coupons/campaigns/create-campaign";
import { type CampaignChangeInput, NewCampaignInput } from "@/lib/coupons/console/contract";
import { CAMPAIGN_VERSION } from "@/lib/coupons/console/list-console-campaigns";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { mayStaff, permissionRule } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ApprovalNeeded, type ApprovedActions } from "@/lib/platform/console/approval";
import { requireShownRow } from "@/lib/platform/console/query";
import { lockSumOfDay } from "@/lib/platform/console/sum-of-day";
import { isShopError, ShopError } from "@/lib/platform/errors";
import { formatPrice, toCents } from "@/lib/platform/money";

type Budget = number | null;
const LIMIT_CENTS = permissionRule("campaigns.manage").fourEyesAbove!;

/**
 * Whether a second person has to approve a monthly budget, in cents: it is raised, and is then above $5,000, or this person
 * has raised budgets by more than that today.
 */
export function needsSecondPerson(before: Budget, after: Budget, raisedToday = 0): boolean {
  if (before === null || after === before) return false;
  return after === null || (after > before && Math.max(after, raisedToday + after - before) > LIMIT_CENTS);
}

/** Marking a campaign as free gives passes away: few may. @throws ShopError permission_missing */
function requireMayMarkFree({ staff }: StaffViewer, free: boolean | undefined): void {
  if (free && !mayStaff(staff.roles, "campaigns.free")) throw new ShopError("permission_missing");
}

/**
 * Creates a promotion, switched off. Budgets of more than $5,000 of one person and day wait for a second person.
 * @throws ApprovalNeeded; ShopError permission_missing, note_has_code, and those of `createCampaign`
 */
export async function createCampaignByStaff(viewer: StaffViewer, input: NewCampaignInput) {
  requireMayMarkFree(viewer, input.free);
  await requireNoCode(db, [input.campaign, input.coupon_code ?? "", ...Object.values(input.title)]);
  const { campaign, monthly_budget: budget } = input;
  await transaction(async (tx) => {
    const raisedToday = await lockSumOfDay(tx, viewer.userId, "budget_cents");
    if (!needsSecondPerson(0, toCents(budget), raisedToday)) {
      await createCampaign(tx, input, { by: viewer.userId });
      return;
    }
    await requireNewCampaign(tx, input);
    const subject = `${campaign}: ${formatPrice(toCents(budget), "en")}`;
    // Who may not mark a campaign as free does not decide about one that is.
    const roles = input.free ? { roles: permissionRule("campaigns.free").roles } : {};
    throw new ApprovalNeeded({ kind: "campaign_create", payload: input, subject, ...roles });
  });
  return { campaign };
}

/**
 * Switches a campaign on or off, or changes its minimum, its budgets, or whether its coupons may cover the whole price. A
 * monthly budget that is raised above $5,000, or by more than that in all raises of one person and day, waits for a second
 * person; nothing else is changed then.
 * @throws ApprovalNeeded; ShopError campaign_unknown, revision_conflict, nothing_changes, permission_missing
 */
export async function changeCampaign(viewer: StaffViewer, id: string, input: CampaignChangeInput) {
  const { version, enabled, monthly_budget: budget, daily_budget: dailyBudget, minimum, free } = input;
  requireMayMarkFree(viewer, free);
  const toCentsOrNull = (usd: number | null) => (usd === null ? null : toCents(usd));
  const change: CampaignChange = {
    ...(enabled !== undefined && { enabled }),
    ...(budget !== undefined && { monthlyBudgetCents: toCentsOrNull(budget) }),
    ...(dailyBudget !== undefined && { dailyBudgetCents: toCentsOrNull(dailyBudget) }),
    ...(free !== undefined && { free }),
    ...(minimum !== undefined && { minimumCents: toCents(minimum) }),
  };
  await transaction(async (tx) => {
    const campaign = await lockCampaign(tx, id);
    if (!campaign) throw new ShopError("campaign_unknown");
    await requireShownRow(
      tx,
      { version },
      { version: CAMPAIGN_VERSION, from: sql`campaigns g where g.id = ${id}` },
    );
    const { monthlyBudgetCents: cents } = change;
    const raisedToday = await lockSumOfDay(tx, viewer.userId, "budget_cents");
    if (cents !== undefined && needsSecondPerson(campaign.monthlyBudgetCents, cents, raisedToday)) {
      const subject = `${id}: ${cents === null ? "∞" : formatPrice(cents, "en")}`;
      const payload = { campaign: id, monthly_budget_cents: cents };
      throw new ApprovalNeeded({ kind: "campaign_budget", payload, subject });
    }
    if (!(await changeLockedCampaign(tx, campaign, change, { by: viewer.userId })))
      throw new ShopError("nothing_changes");
  });
  return { campaign: id };
}

/** What an approved budget does, of a campaign that exists or of a new one. */
export const campaignApprovals = {
  async campaign_budget(tx, payload, { askedBy, decidedBy }) {
    const campaign = await lockCampaign(tx, String(payload.campaign));
    const cents = payload.monthly_budget_cents;
    const monthlyBudgetCents = typeof cents === "number" ? cents : null;
    if (campaign)
      await changeLockedCampaign(tx, campaign, { monthlyBudgetCents }, { by: decidedBy, askedBy });
  },
  /** @throws ShopError revision_conflict: it can no longer be created */
  async campaign_create(tx, payload, { askedBy, decidedBy }) {
    const actor = { by: decidedBy, askedBy };
    await createCampaign(tx, NewCampaignInput.parse(payload), actor).catch((error: unknown) => {
      throw isShopError(error) ? new ShopError("revision_conflict", { cause: error }) : error;
    });
  },
} satisfies ApprovedActions;
