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
  "subscription-confirm",
  "discount-alert",
  "wait-list",
  "unsubscribe-link",
  "application-received",
  "application-approved",
  "application-refused",
  "order-expiring",
  "refund-requested",
  "refund-refused",
  "refund-failed",
  "coupon",
  "referral-reward",
  "account-notice",
  "vendor-confirmation",
  "withdrawal-received",
  "pass-ending",
  "replacement-refused",
] as const;
export type MailEvent = (typeof MAIL_EVENTS)[number];

/** A mail that failed this often is given up: with the queue's growing pauses about 16 hours after the first try. */
export const MAIL_ATTEMPTS = 12;

/** What one can subscribe to (docs/product.md#47-emails-and-subscriptions: e-mail subscription for discount alerts). */
export const SUBSCRIPTION_TOPICS = ["discounts"] as const;
export type SubscriptionTopic = (typeof SUBSCRIPTION_TOPICS)[number];

/** `pending` until the link in the mail was followed. */
export const SUBSCRIPTION_STATES = ["pending", "confirmed", "ended"] as const;

/** Kinds of bulk mail, each with its own unsubscribing (RFC 8058). */
export const MAIL_TOPICS = ["discounts", "wait_list"] as const;
export type MailTopic = (typeof MAIL_TOPICS)[number];
/** The mails that are bulk mail, and their kind: who ended it does not get them, and each can end it in one click. */
export const BULK_MAILS: { readonly [E in MailEvent]?: MailTopic } = {
  "discount-alert": "discounts",
  "wait-list": "wait_list",
};

/** What an unsubscribe link ends: the kind of the mail it stands in, or `all`, when it was asked for on /unsubscribe. */
export const LINK_SCOPES = [...MAIL_TOPICS, "all"] as const;
export type LinkScope = (typeof LINK_SCOPES)[number];

/** `told`: the plan came back and the mail is queued. `left`: the person no longer wants to know, or has it. */
export const WAIT_STATES = ["waiting", "told", "left"] as const;

/** A confirmation is asked for again at the earliest after this, and at most so often a day. */
export const CONFIRM_AGAIN_MINUTES = 10;
export const CONFIRMS_A_DAY = 3;
/** The link that confirms a subscription works this long. */
export const CONFIRM_DAYS = 7;

/** Who was told of a restock has this long before the next in line is told of what is left. */
export const RESTOCK_PRIORITY_HOURS = 24;

/** A new deal waits this long, so that all deals of one import are in one mail. */
export const DEAL_ANNOUNCEMENT_DELAY_MINUTES = 5;
/** Deals in one alert. */
export const DEALS_IN_MAIL = 6;
