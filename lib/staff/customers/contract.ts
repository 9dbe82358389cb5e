import { z } from "zod";
import { ConsoleCustomer } from "@/lib/accounts/console/contract";
import { SessionView } from "@/lib/accounts/devices/contract";
import { IDENTITY_PROVIDERS } from "@/lib/accounts/rules";
import { COUPON_STATES } from "@/lib/coupons/rules";
import { ConsoleMail } from "@/lib/notifications/console/contract";
import { ConsoleOrder } from "@/lib/orders/console/contract";
import { NoteView } from "@/lib/orders/console/contract-detail";
import { Instant, Usd } from "@/lib/platform/api/fields";
import { Actor } from "@/lib/platform/console/actor";
import { ACCESS_CHANGES } from "@/lib/staff/customers/rules";

/** GET /admin/customers/{id} */
export const ConsoleCustomerParams = z.object({ id: z.string().trim().min(1).max(64) });

export const ConsoleCustomerDetail = ConsoleCustomer.extend({
  locale: z.string(),
  country: z.string().nullable(),
  email_verified_at: Instant.nullable(),
  has_password: z.boolean(),
  /** since when the account is closed until its owner sets a new password; null: it is not */
  new_password_required_at: Instant.nullable(),
  /** linked sign-ins */
  providers: z.array(z.enum(IDENTITY_PROVIDERS)),
  /** the newest 50, and the number of all, counted to 1,000 */
  recent_orders: z.array(ConsoleOrder),
  order_total: z.int(),
  order_total_exact: z.boolean(),
  /** the passes that the account owns, the newest 100, by reference */
  library: z.array(
    z.object({
      key_id: z.string(),
      order_id: z.string(),
      order_number: z.string(),
      product_name: z.string(),
      vip_type: z.string(),
      masked_code: z.string(),
      /** came as a gift of someone else */
      is_gift: z.boolean(),
      assigned_at: Instant.nullable(),
      revealed_at: Instant.nullable(),
      activated_at: Instant.nullable(),
      redeem_by: Instant.nullable(),
    }),
  ),
  /** the newest 100 */
  coupons: z.array(
    z.object({
      coupon_code: z.string(),
      campaign: z.string(),
      /** the campaign's title in the reader's language */
      title: z.string(),
      amount: Usd.nullable(),
      percent: z.int().nullable(),
      max_discount: Usd.nullable(),
      minimum: Usd,
      state: z.enum(COUPON_STATES),
      expires_at: Instant.nullable(),
      order_id: z.string().nullable(),
      /** who of staff gave it, and why; null: no one did, and of a coupon that was given before reasons were kept */
      given_by: Actor.nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** signed-in devices */
  sessions: z.array(SessionView.omit({ current: true })),
  /** the newest 50 to the account's address */
  mails: z.array(ConsoleMail),
  notes: z.array(NoteView),
  /** until when wrong passwords or wrong codes of the authenticator app lock the account out; null: they do not */
  locks: z.object({ sign_in: Instant.nullable(), second_factor: Instant.nullable() }),
  /** what staff did about the access to the account, the newest 20 */
  access_changes: z.array(
    z.object({
      action: z.enum(ACCESS_CHANGES),
      at: Instant,
      by: Actor,
      reason: z.string().nullable(),
      /** of sessions that ended; null: none were to end */
      ended: z.int().nullable(),
    }),
  ),
});
export type ConsoleCustomerDetail = z.output<typeof ConsoleCustomerDetail>;

/** POST /admin/customers/{id}/sessions/end */
export const EndSessionsInput = z.object({
  /** absent: all devices */
  session_id: z.string().min(1).max(64).optional(),
});
export const SessionsEnded = z.object({ ended: z.int() });
export type SessionsEnded = z.output<typeof SessionsEnded>;

/** Why staff did something, for the audit log. */
const Reason = z.string().trim().min(3).max(500);

/** POST /admin/customers/{id}/new-password */
export const NewPasswordInput = z.object({ reason: Reason });
export const NewPasswordRequired = z.object({
  /** sessions that were signed in */
  ended: z.int(),
});
export type NewPasswordRequired = z.output<typeof NewPasswordRequired>;

/** POST /admin/customers/{id}/unlock: what was locked */
export const Unlocked = z.object({ sign_in: z.boolean(), second_factor: z.boolean() });
export type Unlocked = z.output<typeof Unlocked>;

/** GET /admin/customers/{id}/coupon */
export const CouponChoices = z.object({
  /** campaigns of which this staff member may give the customer a coupon now */
  items: z.array(
    z.object({
      campaign: z.string(),
      title: z.string(),
      amount: Usd.nullable(),
      percent: z.int().nullable(),
      max_discount: Usd.nullable(),
      minimum: Usd,
      first_order_only: z.boolean(),
      /** when a coupon that is given now would end; null: never */
      expires_at: Instant.nullable(),
    }),
  ),
  total: z.int(),
  /** what this staff member may still give the customer this month; null: without a limit */
  left: Usd.nullable(),
});
export type CouponChoices = z.output<typeof CouponChoices>;

/** POST /admin/customers/{id}/coupon */
export const GiveCouponInput = z.object({
  campaign: z.string().trim().min(1).max(64),
  reason: Reason,
});
export type GiveCouponInput = z.output<typeof GiveCouponInput>;
export const CouponGiven = z.object({ coupon_code: z.string(), expires_at: Instant.nullable() });
export type CouponGiven = z.output<typeof CouponGiven>;
