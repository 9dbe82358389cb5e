import { z } from "zod";
import { MERCHANT_NOTICES } from "@/lib/notifications/rules";

/** GET /merchant/notices: which emails about the merchant the person gets. POST changes those that are named. */
const Switches = z.object(
  Object.fromEntries(MERCHANT_NOTICES.map((notice) => [notice, z.boolean()])) as Record<
    (typeof MERCHANT_NOTICES)[number],
    z.ZodBoolean
  >,
);
export const NoticeSwitches = Switches;
export type NoticeSwitches = z.output<typeof NoticeSwitches>;
export const NoticeSwitchesInput = Switches.partial();
export type NoticeSwitchesInput = z.output<typeof NoticeSwitchesInput>;

/** GET /merchant/waiting: open requests of buyers, counted to 99. */
export const MerchantWaiting = z.object({ requests: z.int(), more: z.boolean() });
export type MerchantWaiting = z.output<typeof MerchantWaiting>;
