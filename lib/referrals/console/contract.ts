import { z } from "zod";
import { Instant } from "@/lib/platform/api/fields";
import { Cursor, Days, EmailPrefix, listOf, NewestFirst } from "@/lib/platform/console/list";
import { Version } from "@/lib/platform/console/version";
import { REFERRAL_REASONS, REFERRAL_STATES } from "@/lib/referrals/rules";

/** GET /admin/referrals: newest first */
export const ConsoleReferralsInput = z.object({
  cursor: Cursor,
  sort: NewestFirst,
  state: z.enum(REFERRAL_STATES).optional(),
  /** the address of the inviter or of the friend */
  email: EmailPrefix.optional(),
  ...Days,
});
export type ConsoleReferralsInput = z.output<typeof ConsoleReferralsInput>;

export const ConsoleReferral = z.object({
  referral_id: z.string(),
  inviter: z.object({ customer_id: z.string(), email: z.string() }),
  friend: z.object({ customer_id: z.string(), email: z.string() }),
  state: z.enum(REFERRAL_STATES),
  reason: z.enum(REFERRAL_REASONS).nullable(),
  created_at: Instant,
  /** the end of the refund window of the friend's order */
  due_at: Instant.nullable(),
  decided_at: Instant.nullable(),
  order_number: z.string().nullable(),
  /** the reward */
  coupon_code: z.string().nullable(),
  version: Version,
});
export type ConsoleReferral = z.output<typeof ConsoleReferral>;
export const ConsoleReferralList = listOf(ConsoleReferral);
export type ConsoleReferralList = z.output<typeof ConsoleReferralList>;

/** POST /admin/referrals/{id}/refuse */
export const ReferralParams = z.object({ id: z.string().min(1).max(64) });
export const ReferralRefused = z.object({ referral_id: z.string() });
