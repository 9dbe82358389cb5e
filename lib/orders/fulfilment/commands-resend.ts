import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { frozenLineSql } from "@/lib/delivery/library/queries";
import { queueMail } from "@/lib/notifications/commands";
import type { OrderRef } from "@/lib/orders/contract";
import type { ResendView } from "@/lib/orders/refunds/contract";
import { RESENDS_PER_HOUR } from "@/lib/orders/rules";
import { lockOrder } from "@/lib/orders/status/commands";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { takeRateLimit } from "@/lib/platform/rate-limit";

/**
 * Mails the delivered codes of an order again to the same address, at most three times an hour (`/order/resend`,
 * docs/product.md#75-orders-and-payment). Refunded codes and those with an open refund request are not sent.
 * @throws ShopError order_unknown, key_unknown when nothing was delivered, key_frozen when everything is locked,
 * too_many_requests
 */
export async function resendKeys(viewer: UserViewer, input: OrderRef): Promise<ResendView> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    const keys = await tx.execute<{ id: string; free: boolean }>(sql`
      select k.id, k.state = 'assigned' and not ${frozenLineSql("l")} as free
      from keys k join order_lines l on l.id = k.order_line_id
      where l.order_id = ${order.id} and k.state in ('assigned', 'quarantined')
        and (k.mailed_at is not null or k.first_revealed_at is not null) order by k.id`);
    const keyIds = keys.filter(({ free }) => free).map(({ id }) => id);
    if (keyIds.length === 0) throw new ShopError(keys.length > 0 ? "key_frozen" : "key_unknown");
    await takeRateLimit([{ name: "order-resend", who: order.id, limit: RESENDS_PER_HOUR, seconds: 3600 }]);
    await queueMail(tx, {
      event: "keys",
      to: order.sendEmail,
      locale: order.locale,
      refs: { orderId: order.id, keyIds: keyIds.join(","), again: 1 },
      dedupeKey: `keys-again:${newId("again")}`,
    });
    return { order_id: order.id, send_email: order.sendEmail, sent: keyIds.length };
  });
}
