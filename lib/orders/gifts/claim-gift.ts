import { eq } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { gifts } from "@/db/schema/orders";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { type ErrorName, ShopError } from "@/lib/platform/errors";
import { instant } from "@/lib/platform/instant";
import type { GiftClaimed, GiftLinkInput } from "./contract";
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
 * library, unrevealed. Repeating it returns the same result.
 * @throws ShopError email_unverified, gift_link_invalid, gift_claimed (by another account), gift_returned,
 * gift_refunded, gift_disputed
 */
export async function claimGift(viewer: UserViewer, { token }: GiftLinkInput): Promise<GiftClaimed> {
  if (!viewer.emailVerified) throw new ShopError("email_unverified");
  return transaction(async (tx) => {
    const found = await findGiftLink(tx, token);
    const order = found && (await lockOrder(tx, found.orderId));
    // Read again, because a claim, a return, a refund or a new link may have come first.
    const gift = order && (await findGiftLink(tx, token));
    if (!gift) throw new ShopError("gift_link_invalid");
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
