/** Why a code is mailed (decisions.md: `verification_type`). */
export const CODE_PURPOSES = [
  "register",
  "reset_password",
  "change_email",
  "order_email",
  "bind_phone",
  "withdraw",
] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];
/** Those that somebody may ask a code for; the code of a withdrawal is sent by /order/withdraw. */
export type RequestableCodePurpose = Exclude<CodePurpose, "withdraw">;
/** What the mail of a code speaks of: `proof` when a code to one's own, proved address says that it is oneself. */
export type CodeMailPurpose = CodePurpose | "proof";

export const AGE_GROUPS = ["adult", "minor_with_guardian", "under_13"] as const;
export type AgeGroup = (typeof AGE_GROUPS)[number];

export const ROLES = ["user", "staff"] as const;
export type Role = (typeof ROLES)[number];

/** Who else may vouch for a person (decisions.md "Social sign-in"). */
export const IDENTITY_PROVIDERS = ["google", "github"] as const;
export type IdentityProvider = (typeof IDENTITY_PROVIDERS)[number];

export const MIN_PASSWORD_LENGTH = 8; // spec §5
export const MAX_PASSWORD_LENGTH = 200;
export const CODE_DIGITS = 6;
export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;
/** So many of them may come from a network that did not ask for the code, and without its id: from anybody. */
export const CODE_TRIES_FROM_OTHER_NETWORKS = 2;
export const CODE_RESEND_SECONDS = 60;
export const CODES_PER_HOUR = 5;
export const CODES_PER_DAY = 10;
/** Wrong passwords of one account from one network before its door closes to that network for the rest of the window. */
export const LOGIN_TRIES = 10;
/** From all networks together: so many that nobody alone keeps an owner out, and far too few to guess a password. */
export const LOGIN_TRIES_ALL_NETWORKS = 100;
export const LOGIN_WINDOW_SECONDS = 15 * 60;

/**
 * A username shows what it is: no markup, no control characters, none that cannot be seen. Joiners stand only after
 * something to join, as in 👩‍💻 or in Persian and Indic names.
 */
export const USERNAME_PATTERN = /^(?:[^\p{Cc}\p{Cf}<>][\u200c\u200d]?)*$/u;

/** Who may use the shop (spec §1): adults; from the second age on with a guardian's permission; nobody younger. */
export const ADULT_AGE = 18;
export const GUARDIAN_AGE = 13;

/** A sensitive change asks for a proof (password, or a mailed code) not older than this. */
export const REAUTHENTICATION_MINUTES = 15;
export const MAX_BILLING_ADDRESSES = 10;

/** What the owner of an account is told of by mail, each time. */
export const SECURITY_NOTICE_KINDS = [
  "password_changed",
  "email_changed_old",
  "email_changed_new",
  "sign_in_linked",
  "account_deleted",
] as const;
export type SecurityNoticeKind = (typeof SECURITY_NOTICE_KINDS)[number];

/** "mara@example.com" → "m•••@example.com": enough for who knows the address. */
export const maskEmail = (address: string) => address.replace(/^(.)[^@]*/u, "$1•••");

/** What stands where the name of a deleted account stood. */
export const DELETED_USERNAME = "–";
