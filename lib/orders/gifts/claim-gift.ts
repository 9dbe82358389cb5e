import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { gifts } from "@/db/schema/orders";
import { markEmailVerified } from "@/lib/accounts/verification/verify-email";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { type ErrorName, ShopError } from "@/lib/platform/errors";
import { instant } from "@/lib/platform/instant";
import type { ClaimGiftInput, GiftClaimed } from "./contract";
import { giftProofHash } from "./gift-token";
import { listCodeIds, recordGiftEvents } from "./record-gift-events";
import type { GiftLinkState } from "./rules";
import { findGiftLink, giftLinkState } from "./view-gift-link";

const LINK_ERRORS: Record<Exclude<GiftLinkState, "open">, ErrorName> = {
  claimed: "gift_claimed",
  returned: "gift_returned",
  refunded: "gift_refunded",
  disputed: "gift_disputed",
};

/**
 * Claims a gift for the viewer, once (`/gift/claim`, docs/product.md#819-gifts): all of its codes move to the viewer's
 * library, unrevealed. Repeating it returns the same result. The secret of the first email verifies the address that it went to.
 * @throws ShopError email_unverified, gift_link_invalid, gift_claimed (by another account), gift_returned,
 * gift_refunded, gift_disputed
 */
export async function claimGift(viewer: UserViewer, { token, proof }: ClaimGiftInput): Promise<GiftClaimed> {
  if (!viewer.emailVerified && !proof) throw new ShopError("email_unverified");
  return transaction(async (tx) => {
    const found = await findGiftLink(tx, token);
    const order = found && (await lockOrder(tx, found.orderId));
    // Read again, because a claim, a return, a refund or a new link may have come first.
    const gift = order && (await findGiftLink(tx, token));
    if (!gift) throw new ShopError("gift_link_invalid");
    if (!viewer.emailVerified && !(await verifyByProof(tx, gift.orderId, viewer, proof)))
      throw new ShopError("email_unverified");
    const state = giftLinkState(gift);
    if (state === "open") return storeClaim(tx, gift.orderId, viewer);
    if (state === "claimed" && gift.claimedBy === viewer.userId && gift.claimedAt)
      return {
        claimed_at: instant(gift.claimedAt),
        library_ids: await listCodeIds(tx, gift.orderId),
      };
    throw new ShopError(LINK_ERRORS[state]);
  });
}

/**
 * Verifies the viewer's address by the secret of the first email to it: once, within GIFT_PROOF_HOURS. Without it, or for
 * another address, nothing happens. The order must be locked.
 */
async function verifyByProof(tx: Tx, orderId: string, viewer: UserViewer, proof = ""): Promise<boolean> {
  const used = await tx.execute(sql`
    update gifts set proof_hash = null, proof_until = null where order_id = ${orderId} and state = 'sent'
      and proof_hash = ${giftProofHash(proof)} and proof_until > shop_now()
      and lower(recipient_email) = lower(${viewer.email}) returning id`);
  if (used.length === 0) return false;
  await markEmailVerified(tx, viewer.userId, viewer.email);
  return true;
}

async function storeClaim(tx: Tx, orderId: string, viewer: UserViewer): Promise<GiftClaimed> {
  const [claimed] = await tx
    .update(gifts)
    .set({ state: "claimed", claimedBy: viewer.userId, claimedAt: shopNow })
    .where(eq(gifts.orderId, orderId))
    .returning({ at: gifts.claimedAt });
  const keyIds = await recordGiftEvents(tx, orderId, "gift_claimed", viewer.userId);
  // The shop's discount pays a merchant nothing for passes that its own people get.
  await recordSales(tx, orderId, { claimed: true });
  await audit({ actor: viewer.userId, action: "gift_claimed", subject: orderId }, tx);
  return { claimed_at: claimed!.at!.toISOString(), library_ids: keyIds };
}
