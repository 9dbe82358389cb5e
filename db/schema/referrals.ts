import { sql } from "drizzle-orm";
import { check, date, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { REFERRAL_REASONS, REFERRAL_STATES } from "@/lib/referrals/rules";
import { users } from "./accounts";
import { at, createdAt, id, oneOf, reference } from "./columns";
import { coupons } from "./coupons";
import { orders } from "./orders";

/** A visitor of an invite link per day, as an HMAC. Kept 90 days. */
export const inviteClicks = pgTable(
  "invite_clicks",
  {
    id: id(),
    inviterId: reference("inviter_id", () => users.id),
    visitor: text("visitor").notNull(),
    day: date("day").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("invite_clicks_one").on(t.inviterId, t.visitor, t.day),
    index("invite_clicks_by_time").on(t.createdAt),
  ],
);

/** A friend registered by invitation, and the result. A user can be invited once. */
export const referrals = pgTable(
  "referrals",
  {
    id: id(),
    inviterId: reference("inviter_id", () => users.id),
    friendId: reference("friend_id", () => users.id).unique(),
    /** HMACs of the friend's email identity and network. */
    emailIdentity: text("email_identity").notNull(),
    network: text("network").notNull(),
    state: text("state", { enum: REFERRAL_STATES }).notNull().default("registered"),
    reason: text("reason", { enum: REFERRAL_REASONS }),
    /** The friend's first paid order, and the end of its refund window. */
    orderId: text("order_id").references(() => orders.id),
    dueAt: at("due_at"),
    couponId: text("coupon_id").references(() => coupons.id),
    createdAt: createdAt(),
    decidedAt: at("decided_at"),
  },
  (t) => [
    index("referrals_of_inviter").on(t.inviterId, t.createdAt),
    index("referrals_due").on(t.dueAt).where(sql`state = 'pending'`),
    index("referrals_email_identity").on(t.emailIdentity),
    index("referrals_network").on(t.network, t.createdAt),
    // The list of the staff console.
    index("referrals_by_time").on(t.createdAt, t.id),
    index("referrals_by_state").on(t.state, t.createdAt, t.id),
    check("referrals_state", oneOf("state", REFERRAL_STATES)),
    check("referrals_reason", oneOf("reason", REFERRAL_REASONS)),
    check("referrals_refused", sql`(state = 'refused') = (reason is not null)`),
    check("referrals_paid", sql`(state = 'paid') = (coupon_id is not null)`),
    check("referrals_pending", sql`(state = 'pending') <= (due_at is not null and order_id is not null)`),
    check("referrals_not_self", sql`inviter_id <> friend_id`),
  ],
);
