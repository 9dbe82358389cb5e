import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { campaigns } from "@/db/schema/coupons";
import { audit } from "@/lib/platform/audit";

type CampaignTerms = typeof campaigns.$inferSelect;

/** Changes of a campaign by staff. Money in cents; null means no cap. */
export type CampaignChange = Partial<
  Omit<
    CampaignTerms,
    "id" | "kind" | "createdAt" | "budgetMonth" | "promisedCents" | "budgetDay" | "promisedTodayCents"
  >
>;

/** The campaign with this id, locked; undefined for an unknown one. */
export async function lockCampaign(tx: Tx, id: string): Promise<CampaignTerms | undefined> {
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for("update");
  return campaign;
}

/** Who changes a campaign, for the audit log, and who requested what a second person approved. */
export type CampaignActor = { by: string; askedBy?: string };

/** Changes a locked campaign. Returns false when nothing changes. */
export async function changeLockedCampaign(
  tx: Tx,
  campaign: CampaignTerms,
  change: CampaignChange,
  { by, askedBy }: CampaignActor,
): Promise<boolean> {
  const names = Object.keys(change) as (keyof CampaignChange)[];
  const changed = names.filter((name) => !isDeepStrictEqual(campaign[name], change[name]));
  if (changed.length === 0) return false;
  await tx.update(campaigns).set(change).where(eq(campaigns.id, campaign.id));
  const valuesOf = (terms: CampaignChange) => Object.fromEntries(changed.map((name) => [name, terms[name]]));
  const detail = { before: valuesOf(campaign), after: valuesOf(change), ...(askedBy && { askedBy }) };
  await audit({ actor: by, action: "campaign_changed", subject: campaign.id, detail }, tx);
  return true;
}
