import { addDays, zonedDay, zonedTime } from "@/lib/platform/zoned-day";
/**
 * States of a gift: the email with its link is not sent yet, sent, claimed by an account, or returned to the giver
 * (docs/product.md#819-gifts).
 */
export const GIFT_STATES = ["scheduled", "sent", "claimed", "returned"] as const;
export type GiftState = (typeof GIFT_STATES)[number];

export const GIFT_MESSAGE_MAX = 500;
/** The name of a giver is at most so long, in characters. */
export const GIFT_FROM_MAX = 40;
/** The delivery date is at most this many days ahead. */
export const GIFT_DAYS_AHEAD = 90;
/** A gift that no one claims returns to the giver this many days after its first email. */
export const GIFT_CLAIM_DAYS = 30;
export const GIFT_RESENDS_PER_DAY = 3;
/** The first email verifies its address within this time. */
export const GIFT_PROOF_HOURS = 72;
/** An email that the limits do not allow yet is tried again after this. */
export const GIFT_RETRY_MINUTES = 15;
/** On a later day than the one on which the gift is chosen, the email is sent at this hour of the giver's day. */
const GIFT_HOUR = 8;

/** What a link leads to: a gift that can be claimed, or why it cannot. */
export const GIFT_LINK_STATES = ["open", "claimed", "returned", "refunded", "disputed"] as const;
export type GiftLinkState = (typeof GIFT_LINK_STATES)[number];

/** Whether a day is today or at most GIFT_DAYS_AHEAD days ahead in the giver's time zone. */
export function isGiftDay(day: string, now: Date, timeZone: string): boolean {
  const today = zonedDay(now, timeZone);
  return day >= today && day <= addDays(today, GIFT_DAYS_AHEAD);
}

/**
 * What happened to a gift, as steps of its order's history, oldest first. The sending is that of the newest email, unless
 * it could not be delivered.
 */
export function giftHistory(gift: {
  email_failed: boolean;
  sent_at: string | null;
  claimed_at: string | null;
  returned_at: string | null;
}) {
  const steps = [
    { event: "gift_sent", at: gift.email_failed ? null : gift.sent_at },
    { event: "gift_claimed", at: gift.claimed_at },
    { event: "gift_returned", at: gift.returned_at },
  ] as const;
  return steps.flatMap(({ event, at }) => (at === null ? [] : [{ event, at }]));
}

/** The first moment at which the email may be sent: now for today, else the morning of that day in the giver's time zone. */
export const giftSendTime = (day: string, now: Date, timeZone: string): Date =>
  day <= zonedDay(now, timeZone) ? now : zonedTime(day, GIFT_HOUR, timeZone);
