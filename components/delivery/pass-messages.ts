/** The messages that the client components of a pass and its codes read; the screen around them sends them. */
export const PASS_MESSAGES = [
  "delivery.code",
  "delivery.activate",
  "delivery.replace",
  "delivery.resend",
  "errors.network",
] as const;
