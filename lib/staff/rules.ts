import type { StaffAccess } from "@/lib/platform/api/declaration";
import { mayStaff, type Permission, permissionRule, STAFF_ROLES } from "@/lib/platform/auth/permissions";

/** The access of a call for staff: `access: staff("refunds.decide", { reauthenticated: true })`. */
export const staff = (permission: Permission, { reauthenticated = false } = {}): StaffAccess => ({
  kind: "staff",
  permission,
  roles: permissionRule(permission).roles,
  reauthenticated,
  keeps: reauthenticated && permissionRule(permission).keepsReauthentication,
  factor: true,
});

/** The access of calls for every staff member in staff mode. */
export const anyStaff: StaffAccess = {
  kind: "staff",
  permission: null,
  roles: STAFF_ROLES,
  reauthenticated: false,
  factor: true,
};

/** The access of calls with which a staff member sets up or gives the second factor. */
export const staffMember: StaffAccess = { ...anyStaff, factor: false };

/** Digits and seconds of a code of an authenticator app (RFC 6238), and the steps of drift that are accepted. */
export const TOTP_DIGITS = 6;
export const TOTP_SECONDS = 30;
export const TOTP_DRIFT_STEPS = 1;
/** Wrong codes in a row, after which the factor is locked. */
export const FACTOR_TRIES = 5;
export const FACTOR_LOCK_MINUTES = 15;
export const RECOVERY_CODES = 10;

/** The lists whose filters can be saved as a view. */
export const CONSOLE_LISTS = [
  "orders",
  "customers",
  "mails",
  "applications",
  "products",
  "keys",
  "refunds",
  "reviews",
  "disputes",
  "replacements",
  "merchants",
  "changes",
  "batches",
  "posts",
  "referrals",
  "audit",
] as const;
export type ConsoleListName = (typeof CONSOLE_LISTS)[number];

/**
 * Who reads a list: its call, and everything else that shows its rows or filters (exports, saved views, finding by
 * text).
 */
export const LIST_PERMISSIONS = {
  orders: "orders.read",
  customers: "customers.read",
  mails: "mails.read",
  applications: "applications.read",
  products: "products.read",
  keys: "products.read",
  refunds: "refunds.decide",
  reviews: "reviews.moderate",
  disputes: "disputes.read",
  replacements: "orders.read",
  merchants: "merchants.read",
  changes: "changes.decide",
  batches: "products.read",
  posts: "posts.write",
  referrals: "campaigns.manage",
  audit: "audit.read",
  coupons: "campaigns.manage",
  sources: "insight.read",
  searches: "insight.read",
} as const satisfies Record<ConsoleListName | "coupons" | "sources" | "searches", Permission>;
export type ReadableList = keyof typeof LIST_PERMISSIONS;

/** Whether one of the roles reads the list. */
export const mayRead = (roles: readonly string[], list: ReadableList): boolean =>
  mayStaff(roles, LIST_PERMISSIONS[list]);

/** What a note can be about. */
export const NOTE_SUBJECTS = ["order", "customer"] as const;
export type NoteSubject = (typeof NOTE_SUBJECTS)[number];

/** Hours in which a second person can decide. */
export const APPROVAL_HOURS = 72;
export const APPROVAL_STATES = ["asked", "approved", "refused", "expired"] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** What needs a second person, and the permission of those who may decide. */
export const APPROVAL_KINDS = {
  grant_admin: "staff.manage",
  grant_roles: "staff.manage",
  remove_admin: "staff.manage",
  reset_factor: "staff.manage",
  export_persons: "exports.persons",
  goodwill: "refunds.goodwill",
  campaign_budget: "campaigns.manage",
  campaign_create: "campaigns.manage",
  change_prices: "products.write",
  change_products: "products.write",
  bulk_import: "imports.run",
  coupon_import: "campaigns.manage",
  end_merchant: "merchants.decide",
  commission: "commission.write",
  payout_run: "payouts.manage",
  write_off: "payouts.manage",
} as const satisfies Record<string, Permission>;
export type ApprovalKind = keyof typeof APPROVAL_KINDS;

/** Entries of the audit log without a seal after this long indicate a failed worker or tampering. */
export const AUDIT_SEALED_WITHIN_MINUTES = 15;
