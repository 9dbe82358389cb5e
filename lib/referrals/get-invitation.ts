import { eq } from "drizzle-orm";
import { client, db } from "@/db/client";
import { campaigns } from "@/db/schema/coupons";
import { findCampaign, isRunning, shopNow } from "@/lib/coupons/campaigns/find-campaign";
import { foldCode } from "@/lib/platform/fold-text";
import { addCacheTags } from "@/lib/platform/page-cache/tags";
import { maskName } from "@/lib/reviews/mask-name";
import type { Invitation } from "./contract";

/** The inviter of a code, and the number of verified accounts when it may be shown. */
export async function getInvitation(typed: string): Promise<Invitation> {
  const code = foldCode(typed);
  const [row] = await client()<{ inviter: string | null; members: number }[]>`
    select (select username from users where invite_code = ${code.slice(0, 64).replaceAll("\0", "")}) as inviter,
      (select count(*)::int from users where email_verified_at is not null) as members`;
  const { inviter, members } = row!;
  return { code, inviter: inviter && maskName(inviter), members, gift: await findGift() };
}

/** The first-order bonus while it is offered. */
async function findGift(): Promise<Invitation["gift"]> {
  addCacheTags("campaigns");
  const campaign = await findCampaign(db, eq(campaigns.id, "new_user"));
  if (!campaign?.amountCents || !isRunning(campaign, await shopNow(db))) return null;
  return { amountCents: campaign.amountCents, minimumCents: campaign.minimumCents };
}
