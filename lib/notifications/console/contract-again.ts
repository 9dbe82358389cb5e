import { z } from "zod";
import { MAIL_STATES } from "@/lib/notifications/rules";

/** POST /admin/mails/{id}/again */
export const MailParams = z.object({ id: z.string().trim().min(1).max(64) });
export const MailSentAgain = z.object({
  /** the email that waits now: the failed one itself, or a new one with the content of a sent one */
  mail_id: z.string(),
  to_address: z.string(),
  state: z.enum(MAIL_STATES),
});
export type MailSentAgain = z.output<typeof MailSentAgain>;

/** POST /admin/mails/{id}/dismiss */
export const DismissMailInput = z.object({
  /** why it can never be sent; without a code */
  reason: z.string().trim().min(1).max(500).meta({ example: "The address does not exist." }),
});
export type DismissMailInput = z.output<typeof DismissMailInput>;
export const MailDismissed = z.object({ mail_id: z.string(), state: z.enum(MAIL_STATES) });
export type MailDismissed = z.output<typeof MailDismissed>;

/** GET /admin/mails/{id}/content */
export const MailContent = z.object({
  /** why there is no text: only the recipient may read it, or the email is obsolete; null if there is one */
  missing: z.enum(["private", "obsolete"]).nullable(),
  subject: z.string(),
  /** as plain text, codes masked */
  text: z.string(),
});
export type MailContent = z.output<typeof MailContent>;
