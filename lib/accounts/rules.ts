/** Purposes of verification codes (`verification_type`, docs/product.md#72-accounts). */
export const CODE_PURPOSES = [
  "register",
  "reset_password",
  "change_email",
  "order_email",
  "bind_phone",
  "withdraw",
] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];
/** Purposes that a client may request; /order/withdraw sends its own code. */
export type RequestableCodePurpose = Exclude<CodePurpose, "withdraw">;
/** `proof`: a code to the account's own verified address, for reauthentication. */
export type CodeMailPurpose = CodePurpose | "proof" | "verify";

export const AGE_GROUPS = ["adult", "minor_with_guardian", "under_13"] as const;
export type AgeGroup = (typeof AGE_GROUPS)[number];

export const ROLES = ["user", "staff"] as const;
export type Role = (typeof ROLES)[number];

/** Identity providers (docs/product.md#87-sign-in). */
export const IDENTITY_PROVIDERS = ["google", "github"] as const;
export type IdentityProvider = (typeof IDENTITY_PROVIDERS)[number];

export const MIN_PASSWORD_LENGTH = 8; // docs/product.md#51-fields
export const MAX_PASSWORD_LENGTH = 200;
export const CODE_DIGITS = 6;
export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;
/** Wrong attempts from networks other than the one that requested the code, without the code's id. */
export const CODE_TRIES_FROM_OTHER_NETWORKS = 2;
export const CODE_RESEND_SECONDS = 60;
export const CODES_PER_HOUR = 5;
export const CODES_PER_DAY = 10;
/** Failed logins of one account from one network before that network is locked out for the rest of the window. */
export const LOGIN_TRIES = 10;
/** Failed logins of one account from all networks: more than one network may try, too few to guess a password. */
export const LOGIN_TRIES_ALL_NETWORKS = 100;
export const LOGIN_WINDOW_SECONDS = 15 * 60;

/** No markup, control or invisible characters. Joiners may follow a visible character, as in 👩‍💻 or Persian names. */
export const USERNAME_PATTERN =
  /^(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0<>][\u200c\u200d]?)*$/u;

/** Minimum ages (docs/product.md#14-terms): adult, and with a guardian's permission. */
export const ADULT_AGE = 18;
export const GUARDIAN_AGE = 13;

/** Sensitive changes need a reauthentication (password or mailed code) at most this old. */
export const REAUTHENTICATION_MINUTES = 15;
export const MAX_BILLING_ADDRESSES = 10;

/** Account changes that send a security email. */
export const SECURITY_NOTICE_KINDS = [
  "password_changed",
  "new_password_required",
  "email_changed_old",
  "email_changed_new",
  "sign_in_linked",
  "account_deleted",
  "second_factor_set",
  "second_factor_reset",
  "recovery_code_used",
  "second_factor_locked",
] as const;
export type SecurityNoticeKind = (typeof SECURITY_NOTICE_KINDS)[number];

/** "mara@example.com" → "m•••@example.com". */
export const maskEmail = (address: string) => address.replace(/^(.)[^@]*/u, "$1•••");

/** Replaces the username of a deleted account. */
export const DELETED_USERNAME = "–";

/** The account that a demo start creates (scripts/start/demo-account.ts). */
export const DEMO_ACCOUNT_EMAIL = "demo@passlane.example";
