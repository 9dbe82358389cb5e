import { z } from "zod";

export const CampaignChanged = z.object({ campaign: z.string() });
export const CouponRevoked = z.object({ coupon_code: z.string() });
