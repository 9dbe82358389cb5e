import { z } from "zod";
import { LOCALES } from "@/lib/platform/i18n/locales";

/** GET and POST /auth/notifications: which bulk mail goes to the account's own address. */
export const NotificationsView = z.object({
  email: z.string(),
  /** Mail can be asked for to a verified address only. */
  email_verified: z.boolean(),
  discounts: z.boolean(),
  wait_list: z.boolean(),
  /** The language of what the shop writes by itself: rewards, alerts, notices. */
  locale: z.enum(LOCALES),
});
export type NotificationsView = z.output<typeof NotificationsView>;
/** What is left out stays as it is. */
export const UpdateNotificationsInput = z.object({
  discounts: z.boolean().optional(),
  wait_list: z.boolean().optional(),
  locale: z.enum(LOCALES).optional(),
});
export type UpdateNotificationsInput = z.output<typeof UpdateNotificationsInput>;
