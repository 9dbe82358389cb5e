/** `failed`: somebody waits in vain, look at it. `dropped`: its occasion was over before it could be sent. */
export const MAIL_STATES = ["queued", "sent", "failed", "dropped"] as const;

/** Every mail the shop sends; each is a template `emails/<event>.tsx`. */
export const MAIL_EVENTS = [
  "verification-code",
  "welcome",
  "order-placed",
  "keys",
  "delay",
  "refund",
  "payment-failed",
  "email-changed",
] as const;
export type MailEvent = (typeof MAIL_EVENTS)[number];

/** A mail that failed this often is given up: with the queue's growing pauses about 16 hours after the first try. */
export const MAIL_ATTEMPTS = 12;
