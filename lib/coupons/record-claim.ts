import { client, statements, type Tx } from "@/db/client";
import { couponClaims } from "@/db/schema/coupons";
import { hmac } from "@/lib/platform/crypto/hmac";
import { ShopError } from "@/lib/platform/errors";
import { ipGroup } from "@/lib/platform/http/ip";
import { CLAIMS_PER_DAY } from "./rules";
import { mailDomain } from "./rules-mail-domain";

/** Where a claim comes from: the client's address and its device cookie; missing if unknown. */
export type ClaimOrigin = { ip?: string; device?: string };

/** Who claims a coupon, and from where. */
export type Claimant = ClaimOrigin & { email: string };

const hashed = (purpose: Parameters<typeof hmac>[0], text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : hmac(purpose, text);

/**
 * Records a claim, and refuses it beyond CLAIMS_PER_DAY. The campaign's row must be locked, so that parallel claims are
 * counted one after the other.
 * @throws ShopError claims_full with retryAfterSeconds
 */
export async function recordClaim(
  tx: Tx,
  { couponId, campaignId }: { couponId: string; campaignId: string },
  { email, ip, device }: Claimant,
): Promise<void> {
  const claim = {
    mailDomain: hashed("mail-domain", mailDomain(email)),
    device: hashed("order-device", device),
    addressGroup: hashed("order-address", ip === undefined ? null : ipGroup(ip)),
  };
  const [today] = await statements(tx)<
    { mailDomain: number; device: number; addressGroup: number; secondsLeft: number }[]
  >`
    select count(*) filter (where mail_domain = ${claim.mailDomain})::int as "mailDomain",
      count(*) filter (where device = ${claim.device})::int as device,
      count(*) filter (where address_group = ${claim.addressGroup})::int as "addressGroup",
      ceil(extract(epoch from date_trunc('day', shop_now(), 'UTC') + interval '1 day' - shop_now()))::int as "secondsLeft"
    from coupon_claims where campaign_id = ${campaignId} and created_at >= date_trunc('day', shop_now(), 'UTC')`;
  const { secondsLeft, ...counts } = today!;
  const isFull = (["device", "addressGroup", "mailDomain"] as const).some(
    (by) => counts[by] >= CLAIMS_PER_DAY[by],
  );
  if (isFull) throw new ShopError("claims_full", { params: { retryAfterSeconds: Math.max(1, secondsLeft) } });
  await tx.insert(couponClaims).values({ couponId, campaignId, ...claim });
}

/** Deletes the claims that no limit counts any more. */
export async function deleteOldClaims(): Promise<void> {
  await client()`delete from coupon_claims where created_at < shop_now() - interval '2 days'`;
}
