import { transaction } from "@/db/client";
import { takeMailBudget } from "@/lib/notifications/take-mail-budget";
import { isOnHold } from "@/lib/orders/disputes/is-on-hold";
import { isPaid, isPayable } from "@/lib/orders/rules";
import { lockOrder } from "@/lib/orders/status/lock-order";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { takeRateLimit } from "@/lib/platform/rate-limit";
import type { GiftSaved } from "./contract";
import { findGift, readGiftView } from "./find-gift";
import { GIFT_RESENDS_PER_DAY } from "./rules";
import { sendLink } from "./send-gift-link";

/**
 * Sends the email again with a new link; the old one is void (`/order/gift/resend`). The time to claim it stays.
 * @throws ShopError order_unknown, gift_unknown, gift_unsent, gift_claimed, gift_returned, gift_refunded, gift_disputed,
 * too_many_requests
 */
export async function resendGift(
  viewer: UserViewer,
  { order_id }: { order_id: string },
  ip?: string,
): Promise<GiftSaved> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    const gift = await findGift(tx, order.id);
    if (!gift) throw new ShopError("gift_unknown");
    if (gift.state === "claimed") throw new ShopError("gift_claimed");
    if (gift.state === "returned" || gift.ended) throw new ShopError("gift_returned");
    if (await isOnHold(tx, order.id)) throw new ShopError("gift_disputed");
    if (!isPaid(order.status) && !isPayable(order.status)) throw new ShopError("gift_refunded");
    if (gift.state !== "sent") throw new ShopError("gift_unsent");
    if (gift.recipient_email === null) throw new ShopError("gift_fixed");
    const resends = { name: "gift-resend", who: gift.id, limit: GIFT_RESENDS_PER_DAY, seconds: 86_400 };
    await takeRateLimit([resends], { within: tx });
    await takeMailBudget(tx, { userId: viewer.userId, ip }, gift.recipient_email);
    await sendLink(tx, order, { id: gift.id, to: gift.recipient_email, first: false }, viewer.userId);
    return { order_id: order.id, gift: (await readGiftView(tx, order.id))! };
  });
}
