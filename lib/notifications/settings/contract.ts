import { z } from "zod";
import { LOCALES } from "@/lib/platform/i18n/locales";

/** GET and POST /auth/notifications: bulk email to the account's own address. */
export const NotificationsView = z.object({
  email: z.string(),
  /** Only a verified address can subscribe. */
  email_verified: z.boolean(),
  discounts: z.boolean(),
  wait_list: z.boolean(),
  wishlist: z.boolean(),
  /** The language of emails that the shop sends by itself: rewards, alerts, security notices. */
  locale: z.enum(LOCALES),
});
export type NotificationsView = z.output<typeof NotificationsView>;
/** Absent fields stay unchanged. */
export const UpdateNotificationsInput = z.object({
  discounts: z.boolean().optional(),
  wait_list: z.boolean().optional(),
  wishlist: z.boolean().optional(),
  locale: z.enum(LOCALES).optional(),
});
export type UpdateNotificationsInput = z.output<typeof UpdateNotificationsInput>;
