/** The roles of staff members; one person may have several (docs/product.md#13-staff-console). */
export const STAFF_ROLES = ["support", "catalogue", "finance", "admin"] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export type PermissionRule = {
  roles: readonly StaffRole[];
  /** Roles that see only their own part, such as their own entries of the audit log. */
  own?: readonly StaffRole[];
  /** Changes need a reauthentication (password and second factor) within the last 15 minutes. */
  reauthenticated?: boolean;
  /**
   * A decision extends the reauthentication, up to two hours, so that a queue of decisions about money or codes can be
   * worked through in one go.
   */
  keepsReauthentication?: boolean;
  /** The most that a role may decide, in cents of one case. A role without an entry has no limit. */
  limitCents?: Partial<Record<StaffRole, number>>;
  /** Above this many cents (or rows) a second person must approve. 0: always. */
  fourEyesAbove?: number;
};

/**
 * The permission table. It holds only permissions that some call uses (tests/architecture/staff.test.ts): a permission is
 * added together with its first call.
 */
export const PERMISSIONS = {
  "orders.read": { roles: ["support", "catalogue", "finance", "admin"] },
  "orders.write": { roles: ["support", "finance", "admin"] },
  "refunds.decide": {
    roles: ["support", "finance", "admin"],
    reauthenticated: true,
    keepsReauthentication: true,
  },
  /** the cost of a dispute, below which a suspected payment is refunded without a review */
  "fraud.settings": { roles: ["finance", "admin"], reauthenticated: true },
  "refunds.goodwill": {
    roles: ["support", "finance", "admin"],
    reauthenticated: true,
    keepsReauthentication: true,
    limitCents: { support: 2_500 },
    fourEyesAbove: 10_000,
  },
  /** read and answer what customers write to support, and keep stored answers */
  "messages.answer": { roles: ["support", "finance", "admin"] },
  "customers.read": { roles: ["support", "catalogue", "finance", "admin"] },
  "mails.read": { roles: ["support", "catalogue", "finance", "admin"] },
  "products.read": { roles: ["support", "catalogue", "finance", "admin"] },
  "products.write": { roles: ["catalogue", "admin"], fourEyesAbove: 100 },
  "applications.read": { roles: ["admin"] },
  "disputes.read": { roles: ["support", "finance", "admin"] },
  "disputes.evidence": { roles: ["support", "finance", "admin"], reauthenticated: true },
  "replacements.decide": {
    roles: ["support", "finance", "admin"],
    reauthenticated: true,
    keepsReauthentication: true,
  },
  "reviews.moderate": { roles: ["support", "catalogue", "admin"] },
  /** reports of unlawful content, and objections to decisions about them */
  "reports.decide": { roles: ["support", "catalogue", "admin"] },
  "merchants.read": { roles: ["support", "catalogue", "finance", "admin"] },
  "changes.decide": { roles: ["catalogue", "admin"] },
  "merchants.decide": { roles: ["admin"], reauthenticated: true },
  /** the trader file of a merchant: its legal identity */
  "trade.read": { roles: ["finance", "admin"] },
  "trade.check": { roles: ["finance", "admin"], reauthenticated: true },
  /** open the documents of a file; each opening is audited */
  "trade.documents": { roles: ["finance", "admin"], reauthenticated: true },
  /** reports for authorities (DAC7, DSA) */
  "trade.export": { roles: ["finance", "admin"], reauthenticated: true },
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
  "payouts.read": { roles: ["finance", "admin"] },
  "payouts.manage": { roles: ["finance", "admin"], reauthenticated: true, fourEyesAbove: 0 },
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
export function highestRole(roles: readonly string[], permission: Permission): StaffRole | undefined {
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
