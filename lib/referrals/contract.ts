import { z } from "zod";
import { Instant, Page, PageSize, Usd } from "@/lib/platform/api/fields";
import { REFERRAL_REASONS, REFERRAL_STATES } from "./rules";

/** An invitation page. `inviter`: a masked name, null for an unknown code; `gift`: in cents, while it is offered. */
export type Invitation = {
  code: string;
  inviter: string | null;
  members: number;
  gift: { amountCents: number; minimumCents: number } | null;
};

export const ReferralInput = z.object({ page: Page, size: PageSize });
export type ReferralInput = z.output<typeof ReferralInput>;

/** A registered friend, by masked name. */
export const Referral = z.object({
  friend: z.string(),
  state: z.enum(REFERRAL_STATES),
  reason: z.enum(REFERRAL_REASONS).nullable(),
  registered_at: Instant,
  /** time of the decision about the reward; null before the first paid order */
  due_at: Instant.nullable(),
  decided_at: Instant.nullable(),
  coupon_code: z.string().nullable(),
});
export type Referral = z.output<typeof Referral>;

/** GET /referral/info (docs/product.md#86-invitations). `clicks`: visitors a day, last 90 days. */
export const ReferralInfo = z.object({
  invite_code: z.string(),
  invite_link: z.string(),
  /** an unverified account cannot invite yet */
  can_invite: z.boolean(),
  running: z.boolean(),
  reward_amount: Usd,
  friend_amount: Usd,
  friend_min_amount: Usd,
  monthly_cap: z.int().nullable(),
  counts: z.object({
    clicks: z.int(),
    registered: z.int(),
    pending: z.int(),
    paid: z.int(),
    refused: z.int(),
  }),
  earned: Usd,
  items: z.array(Referral),
  total: z.int(),
});
export type ReferralInfo = z.output<typeof ReferralInfo>;
