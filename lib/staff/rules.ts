import type { StaffAccess } from "@/lib/platform/api/declaration";

/** What staff members may be; one person may have several roles (docs/product.md#13-staff-console). */
export const STAFF_ROLES = ["support", "catalogue", "finance", "admin"] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export type PermissionRule = {
  roles: readonly StaffRole[];
  /** Roles that see only their own part, such as their own entries of the audit log. */
  own?: readonly StaffRole[];
  /** Changes need a reauthentication (password and second factor) of the last 15 minutes. */
  reauthenticated?: boolean;
  /** The most that a role may decide, in cents of one case. A role without an entry has no limit. */
  limitCents?: Partial<Record<StaffRole, number>>;
  /** Above this many cents (or rows) a second person decides. 0: always. */
  fourEyesAbove?: number;
};

/**
 * The permission table. It holds only permissions that some call uses (tests/architecture/staff.test.ts): a permission is
 * added together with its first call.
 */
export const PERMISSIONS = {
  "orders.read": { roles: ["support", "catalogue", "finance", "admin"] },
  "orders.write": { roles: ["support", "finance", "admin"] },
  "refunds.decide": { roles: ["support", "finance", "admin"], reauthenticated: true },
  "refunds.goodwill": {
    roles: ["support", "finance", "admin"],
    reauthenticated: true,
    limitCents: { support: 2_500 },
    fourEyesAbove: 10_000,
  },
  "customers.read": { roles: ["support", "catalogue", "finance", "admin"] },
  "mails.read": { roles: ["support", "catalogue", "finance", "admin"] },
  "products.read": { roles: ["support", "catalogue", "finance", "admin"] },
  "products.write": { roles: ["catalogue", "admin"], fourEyesAbove: 100 },
  "applications.read": { roles: ["admin"] },
  "disputes.read": { roles: ["support", "finance", "admin"] },
  "disputes.evidence": { roles: ["support", "finance", "admin"], reauthenticated: true },
  "replacements.decide": { roles: ["support", "finance", "admin"], reauthenticated: true },
  "reviews.moderate": { roles: ["support", "catalogue", "admin"] },
  "merchants.read": { roles: ["support", "catalogue", "finance", "admin"] },
  "changes.decide": { roles: ["catalogue", "admin"] },
  "merchants.decide": { roles: ["admin"], reauthenticated: true },
  "mails.resend": { roles: ["support", "finance", "admin"] },
  "stuck.retry": { roles: ["support", "finance", "admin"] },
  /** close and open the shop */
  "shop.manage": { roles: ["admin"], reauthenticated: true },
  /** release or revoke withheld codes, withdraw a batch */
  "stock.manage": { roles: ["admin"], reauthenticated: true },
  "imports.read": { roles: ["catalogue", "finance", "admin"] },
  "imports.run": { roles: ["catalogue", "admin"], fourEyesAbove: 100 },
  "posts.write": { roles: ["catalogue", "admin"] },
  "keys.find": { roles: ["support", "catalogue", "admin"] },
  "notes.write": { roles: ["support", "finance", "admin"] },
  /** end sessions, unlock; for accounts of staff also staff.manage, for owners of merchants also merchants.decide */
  "customers.access": { roles: ["support", "finance", "admin"], reauthenticated: true },
  /** limits: of one person and month together */
  "coupons.give": {
    roles: ["support", "catalogue", "admin"],
    reauthenticated: true,
    limitCents: { support: 1_000, catalogue: 1_000 },
  },
  /** Four eyes: a monthly budget that is raised above this. */
  "campaigns.manage": { roles: ["catalogue", "finance", "admin"], fourEyesAbove: 500_000 },
  /** mark a campaign as free: its coupons may cover the whole price */
  "campaigns.free": { roles: ["finance", "admin"] },
  "insight.read": { roles: ["catalogue", "finance", "admin"] },
  "announcements.manage": { roles: ["catalogue", "admin"] },
  "commission.read": { roles: ["finance", "admin"] },
  "commission.write": { roles: ["finance", "admin"], reauthenticated: true, fourEyesAbove: 0 },
  "exports.persons": { roles: ["finance", "admin"], reauthenticated: true, fourEyesAbove: 10_000 },
  "approvals.decide": { roles: ["support", "catalogue", "finance", "admin"], reauthenticated: true },
  "staff.manage": { roles: ["admin"], reauthenticated: true },
  "audit.read": { roles: ["support", "catalogue", "finance", "admin"], own: ["support", "catalogue"] },
} as const satisfies Record<string, PermissionRule>;
export type Permission = keyof typeof PERMISSIONS;

export const permissionRule = (permission: Permission): PermissionRule => PERMISSIONS[permission];

/** Whether one of the roles has the permission. */
export const mayStaff = (roles: readonly string[], permission: Permission): boolean =>
  permissionRule(permission).roles.some((role) => roles.includes(role));

/** Whether all roles that give the permission give it for their own part only. */
export function seesOwnOnly(roles: readonly string[], permission: Permission): boolean {
  const { roles: allowed, own = [] } = permissionRule(permission);
  return !allowed.some((role) => roles.includes(role) && !own.includes(role));
}

/** The most that these roles may decide in one case, in cents; Infinity without a limit, 0 without the permission. */
export function limitOf(roles: readonly string[], permission: Permission): number {
  const { roles: allowed, limitCents = {} } = permissionRule(permission);
  const limits = allowed.filter((role) => roles.includes(role)).map((role) => limitCents[role] ?? Infinity);
  return Math.max(0, ...limits);
}

/** The one of these roles that may decide most in one case; undefined without the permission. */
export function mostRole(roles: readonly string[], permission: Permission): StaffRole | undefined {
  const { roles: allowed } = permissionRule(permission);
  return allowed
    .filter((role) => roles.includes(role))
    .toSorted((a, b) => (limitOf([a], permission) > limitOf([b], permission) ? -1 : 1))[0];
}

/** The roles that may decide a case of so many cents. */
export function rolesUpTo(permission: Permission, cents: number): StaffRole[] {
  const { roles, limitCents = {} } = permissionRule(permission);
  return roles.filter((role) => (limitCents[role] ?? Infinity) >= cents);
}

/** The permissions of these roles, in the order of the table. */
export const permissionsOf = (roles: readonly string[]): Permission[] =>
  (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => mayStaff(roles, permission));

/** The access of a call for staff: `access: staff("refunds.decide", { reauthenticated: true })`. */
export const staff = (permission: Permission, { reauthenticated = false } = {}): StaffAccess => ({
  kind: "staff",
  permission,
  roles: permissionRule(permission).roles,
  reauthenticated,
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
} as const satisfies Record<string, Permission>;
export type ApprovalKind = keyof typeof APPROVAL_KINDS;

/** Entries of the audit log without a seal after this long indicate a failed worker or tampering. */
export const AUDIT_SEALED_WITHIN_MINUTES = 15;
