export const MAIL_STATES = ["queued", "sent", "failed"] as const;

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
