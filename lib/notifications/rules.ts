/** `failed`: needs attention. `dropped`: was no longer needed when it could be sent. */
export const MAIL_STATES = ["queued", "sent", "failed", "dropped"] as const;

/** How many of the codes that an email is about it contains: those kept in the Library are left out. */
export const MAIL_CODES = ["all", "some", "none"] as const;

/** Every email the shop sends; each has a template `emails/<event>.tsx`. */
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
  "order-cancelled",
  "refund-requested",
  "refund-refused",
  "refund-failed",
  "coupon",
  "referral-reward",
  "account-notice",
  "vendor-confirmation",
  "withdrawal-declared",
  "withdrawal-received",
  "pass-ending",
  "replacement-refused",
  "code-request",
  "first-sale",
  "merchant-review",
  "merchant-digest",
  "payout-account",
  "payout-notice",
  "contact",
  "contact-received",
  "contact-answer",
  "report-received",
  "report-decided",
  "report-appeal",
  "wishlist",
  "gift",
  "gift-returned",
  "merchant-invite",
  "merchant-notice",
  "merchant-name",
  "change-approved",
  "change-returned",
  "change-refused",
  "products-changed",
  "stock-low",
  "webhook-disabled",
  "codes-withdrawn",
  "plan-paused",
  "trade-file",
  "staff-changed",
  "staff-mention",
] as const;
export type MailEvent = (typeof MAIL_EVENTS)[number];

/** Attempts before an email is marked failed, about 16 hours after the first one. */
export const MAIL_ATTEMPTS = 12;

/** Days after which an email is deleted: longer than a payment can be disputed. */
export const MAIL_DAYS = 730;

/** Topics of subscriptions (docs/product.md#47-emails-and-subscriptions). */
export const SUBSCRIPTION_TOPICS = ["discounts"] as const;

/** `pending` until the confirmation link is opened. */
export const SUBSCRIPTION_STATES = ["pending", "confirmed", "ended"] as const;

/** Kinds of bulk email, each with its own unsubscribing (RFC 8058). */
export const MAIL_TOPICS = ["discounts", "wait_list", "wishlist"] as const;
export type MailTopic = (typeof MAIL_TOPICS)[number];
/** The bulk emails and their kind; recipients can unsubscribe from each kind in one click. */
export const BULK_MAILS: { readonly [E in MailEvent]?: MailTopic } = {
  "discount-alert": "discounts",
  "wait-list": "wait_list",
  wishlist: "wishlist",
};

/** Scopes of an unsubscribe link: the kind of its email, or `all` when requested on /unsubscribe. */
export const LINK_SCOPES = [...MAIL_TOPICS, "all"] as const;
export type LinkScope = (typeof LINK_SCOPES)[number];

/** `notified`: the plan is back and the email is queued. `cancelled`: no longer interested, or bought. */
export const WAIT_OUTCOMES = ["notified", "cancelled"] as const;

/**
 * Limits on emails to addresses that no one has verified (docs/product.md#814-emails), over all calls that send one:
 * per account and address group of the sender, and per email identity of the recipient.
 */
export const UNVERIFIED_MAILS_OF_SENDER = [
  { limit: 10, seconds: 3600, by: "user" },
  { limit: 20, seconds: 86_400, by: "user" },
  { limit: 30, seconds: 3600, by: "ip" },
  { limit: 100, seconds: 86_400, by: "ip" },
] as const;
/**
 * Limits on the emails that an unauthenticated owner of a verified address asks for, apart from the limits above, so that
 * emails to unverified addresses from the same network do not use them up.
 */
export const VERIFIED_MAILS_OF_SENDER = [
  { limit: 10, seconds: 3600, by: "user" },
  { limit: 20, seconds: 86_400, by: "user" },
  { limit: 100, seconds: 3600, by: "ip" },
  { limit: 400, seconds: 86_400, by: "ip" },
] as const;
/** Limits per email identity of the recipient, the same for verified, unverified and unknown addresses. */
export const UNVERIFIED_MAILS_TO_RECIPIENT = [
  { limit: 8, seconds: 3600 },
  { limit: 15, seconds: 86_400 },
] as const;

/** Minimum minutes between two confirmation emails to one address. */
export const CONFIRM_AGAIN_MINUTES = 10;
export const CONFIRMS_A_DAY = 3;
/** Validity of a confirmation link. */
export const CONFIRM_DAYS = 7;

/** Hours for which a restocked key is reserved for a notified user before the next entry is notified. */
export const RESTOCK_PRIORITY_HOURS = 24;

/** Minutes before a new deal is announced, so that the deals of one import share an email. */
export const DEAL_ANNOUNCEMENT_DELAY_MINUTES = 5;
export const DEALS_IN_MAIL = 6;

/** Products on a wishlist, at most (docs/product.md#10-constants). */
export const WISHES_MAX = 100;
/** Products in one wishlist email. Further ones follow the next day. */
export const WISHES_IN_MAIL = 8;
/** Hours between two wishlist emails to one account, at least. */
export const WISHLIST_MAIL_HOURS = 24;

/**
 * The kinds of emails to a merchant's people, which each person turns on or off
 * (docs/product.md#143-team-profile-tokens).
 */
export const MERCHANT_NOTICES = ["questions", "sales", "reviews", "stock", "decisions", "digest"] as const;
export type MerchantNotice = (typeof MERCHANT_NOTICES)[number];
