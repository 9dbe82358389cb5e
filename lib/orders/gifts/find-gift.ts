import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { warnedSql } from "@/lib/delivery/library/key-state-sql";
import { disputeStateSql } from "@/lib/orders/disputes/find-dispute-state";
import { isPaid, isPayable, type OrderStatus } from "@/lib/orders/rules";
import { instant } from "@/lib/platform/instant";
import type { GiftView } from "./contract";
import { GIFT_RETRY_MINUTES, type GiftState } from "./rules";

/** A gift as read from the database. */
export type GiftJson = {
  id: string;
  state: GiftState;
  recipient_email: string | null;
  deliver_on: string;
  /** its time has come, or comes with the next try */
  due: boolean;
  message: string;
  from_name: string | null;
  sent_at: string | null;
  email_failed: boolean;
  claim_until: string | null;
  /** the time to claim it has passed */
  ended: boolean;
  claimed_at: string | null;
  returned_at: string | null;
};

/** SQL: the email of an unsent gift is sent at once, or with the next try after one that the limits refused. */
export const giftDueSql = (gift: string) =>
  sql`${sql.raw(gift)}.send_at <= shop_now() + make_interval(mins => ${GIFT_RETRY_MINUTES})`;

/** SQL: the gift of an order `o` as JSON (`GiftJson`); null when the order is not a gift. */
export const selectGift = () => sql`
  (select json_build_object('id', g.id, 'state', g.state, 'recipient_email', g.recipient_email, 'deliver_on', g.deliver_on,
    'due', ${giftDueSql("g")},
    'message', g.message, 'from_name', g.from_name, 'sent_at', g.sent_at, 'email_failed', exists (
      select from mails m where m.dedupe_key = 'gift:' || g.id || ':' || g.serial and m.state = 'failed'),
    'claim_until', g.claim_until, 'ended', g.claim_until is not null and g.claim_until <= shop_now(), 'claimed_at', g.claimed_at, 'returned_at', g.returned_at)
  from gifts g where g.order_id = o.id)`;

/** What its giver may still do with a gift. */
export const isGiftChangeable = (
  gift: Pick<GiftJson, "state" | "email_failed">,
  status: OrderStatus,
): boolean => isPayable(status) || (isPaid(status) && (gift.state === "scheduled" || isUndelivered(gift)));

/** The email with the link could not be delivered, so no one has the link. */
const isUndelivered = (gift: Pick<GiftJson, "state" | "email_failed">) =>
  gift.state === "sent" && gift.email_failed;

export const toGiftView = (
  gift: GiftJson,
  { status, disputed }: { status: OrderStatus; disputed: boolean },
): GiftView => ({
  state: gift.state,
  recipient_email: gift.recipient_email,
  deliver_on: gift.deliver_on,
  due: gift.state === "scheduled" && gift.due,
  message: gift.message,
  from_name: gift.from_name ?? "",
  sent_at: instant(gift.sent_at),
  email_failed: isUndelivered(gift),
  claim_until: instant(gift.claim_until),
  claimed_at: instant(gift.claimed_at),
  returned_at: instant(gift.returned_at),
  can_change: isGiftChangeable(gift, status) && !disputed,
  can_resend:
    gift.state === "sent" && !gift.ended && gift.recipient_email !== null && isPaid(status) && !disputed,
});

/** The gift of an order; null when the order is not a gift. Final when the transaction has locked the order. */
export async function findGift(tx: Db, orderId: string): Promise<GiftJson | null> {
  const [row] = await tx.execute<{ gift: GiftJson | null }>(sql`
    select ${selectGift()} as gift from orders o where o.id = ${orderId}`);
  return row?.gift ?? null;
}

/** The view of an order's gift after a change of the locked order. */
export async function readGiftView(tx: Db, orderId: string): Promise<GiftView | null> {
  const [row] = await tx.execute<{ gift: GiftJson | null; status: OrderStatus; disputed: boolean }>(sql`
    select ${selectGift()} as gift, o.status, ${disputeStateSql("o")} is not null or ${warnedSql("o.id")} as disputed from orders o where o.id = ${orderId}`);
  return row?.gift ? toGiftView(row.gift, row) : null;
}
