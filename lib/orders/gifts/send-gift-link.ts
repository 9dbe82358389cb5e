import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { gifts } from "@/db/schema/orders";
import { queueMail } from "@/lib/notifications/queue-mail";
import type { LockedOrder } from "@/lib/orders/status/lock-order";
import { giftProof, giftProofHash, giftToken, giftTokenHash } from "./gift-token";
import { recordGiftEvents } from "./record-gift-events";
import { GIFT_CLAIM_DAYS, GIFT_PROOF_HOURS } from "./rules";

/**
 * Makes a new link and queues the email with it. `first`: nobody has got an email yet, so that it has the secret that verifies
 * its address; a later link ends that. The order must be locked.
 */
export async function sendLink(
  tx: Tx,
  order: LockedOrder,
  { id, to, first }: { id: string; to: string; first: boolean },
  actor: string,
): Promise<void> {
  const [next] = await tx.execute<{ serial: number; locale: string; timeZone: string }>(sql`
    select serial + 1 as serial, locale, time_zone as "timeZone" from gifts where id = ${id}`);
  const { serial, locale, timeZone } = next!;
  await tx
    .update(gifts)
    .set({
      state: "sent",
      serial,
      tokenHash: giftTokenHash(giftToken(id, serial)),
      proofHash: first ? giftProofHash(giftProof(id, serial)) : null,
      proofUntil: first ? sql`shop_now() + make_interval(hours => ${GIFT_PROOF_HOURS})` : null,
      sentAt: shopNow,
      claimUntil: sql`coalesce(${gifts.claimUntil}, shop_now() + make_interval(days => ${GIFT_CLAIM_DAYS}))`,
    })
    .where(eq(gifts.id, id));
  await recordGiftEvents(tx, order.id, "gift_sent", actor);
  // Without the order's number, because the order is the giver's.
  await queueMail(tx, {
    event: "gift",
    to,
    locale,
    timeZone,
    refs: { giftId: id, serial, orderId: order.id, ...(first && { first: 1 }) },
    dedupeKey: `gift:${id}:${serial}`,
  });
}
