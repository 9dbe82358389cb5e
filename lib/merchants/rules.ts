import type { MerchantAccess } from "@/lib/platform/api/declaration";
import type { ErrorName } from "@/lib/platform/errors";

/** States of a merchant application; staff decide (docs/product.md#813-merchants). */
export const APPLICATION_STATES = ["received", "approved", "refused"] as const;
export type ApplicationState = (typeof APPLICATION_STATES)[number];
/** The note to the applicant. */
export const APPLICATION_NOTE_MAX = 1000;

/** The normalised URL of a product page; null unless it is http or https on a public-looking host without credentials. */
export function normalizeProductUrl(text: string): string | null {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, username, password, href } = new URL(url);
  if (!/^https?:$/.test(protocol) || username || password) return null;
  const isPublicHost =
    /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i.test(hostname);
  return isPublicHost && !/(?:^|\.)(?:localhost|local|internal|invalid|test)$/i.test(hostname) ? href : null;
}

/** A rough format check of an international phone number; the server validates with libphonenumber. */
export const isPhoneLike = (text: string): boolean =>
  /^(?:\+|00)/.test(text) && /^\d{7,17}$/.test(text.replace(/[+()\s./-]/g, ""));

/** Who a member is in a merchant's team (docs/product.md#14-merchants). */
export const MERCHANT_ROLES = ["owner", "member"] as const;
export type MerchantRole = (typeof MERCHANT_ROLES)[number];

/**
 * `invited`: approved, without an owner yet. `active`: sells. `paused`: off the shop by its own choice. `suspended`: off the
 * shop by staff, paid orders are still served. `ended`: closed for good.
 */
export const MERCHANT_STATES = ["invited", "active", "paused", "suspended", "ended"] as const;
export type MerchantState = (typeof MERCHANT_STATES)[number];

/** Low-risk changes of a trusted merchant need no approval. */
export const MERCHANT_TRUST = ["new", "trusted"] as const;

/** Why a product is off the shop: its merchant's state. */
export const BLOCK_REASONS = [
  "merchant_invited",
  "merchant_paused",
  "merchant_suspended",
  "merchant_ended",
] as const;

export const CHANGE_STATES = ["draft", "proposed", "returned", "approved", "refused", "cancelled"] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

/** Where a merchant has its codes from: its own, or a vendor's under a licence. */
export const BATCH_SOURCES = ["issued", "licensed"] as const;
export const BATCH_STATES = ["running", "done", "failed"] as const;
/** A refused line of a file of codes: its number and why, never its text. */
export type BatchReportLine = { line: number; error: ErrorName };
/** Tells a merchant that the codes of a plan run low: at so many days of cover, below so many codes, or never. */
export const STOCK_ALERTS = ["days", "codes", "off"] as const;

/** `sold`: nothing came back. `reduced`: a part was refunded. `refunded`: all of it. */
export const SALE_STATES = ["sold", "reduced", "refunded"] as const;
/** Who bears the discount of a sale. */
export const DISCOUNT_FUNDERS = ["shop", "merchant"] as const;

export const REPLY_STATES = ["waiting", "shown", "refused"] as const;

/** What a token may do for its merchant. */
export const TOKEN_SCOPES = [
  "products:read",
  "products:write",
  "keys:write",
  "sales:read",
  "requests:write",
] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

type MerchantRule = {
  roles: readonly MerchantRole[];
  /** the scope with which a token has the permission; null: only people have it */
  scope: TokenScope | null;
  /** needs a reauthentication (password and second factor) of the last 15 minutes */
  reauthenticated?: boolean;
};

/** The permission table of merchants. It holds only permissions that some call uses (tests/architecture/staff.test.ts). */
export const MERCHANT_PERMISSIONS = {
  "profile.read": { roles: ["owner", "member"], scope: "products:read" },
  "keys.read": { roles: ["owner", "member"], scope: "keys:write" },
  "keys.write": { roles: ["owner", "member"], scope: "keys:write" },
} as const satisfies Record<string, MerchantRule>;
export type MerchantPermission = keyof typeof MERCHANT_PERMISSIONS;

export const merchantRule = (permission: MerchantPermission): MerchantRule =>
  MERCHANT_PERMISSIONS[permission];

/** The permissions of a role. */
export const merchantPermissionsOf = (role: MerchantRole): MerchantPermission[] =>
  (Object.keys(MERCHANT_PERMISSIONS) as MerchantPermission[]).filter((permission) =>
    merchantRule(permission).roles.includes(role),
  );

/**
 * The access of a call for merchants: `access: merchant("keys.write")`. `whileSuspended`: it also works for a suspended or
 * ended merchant, which otherwise only reads.
 */
export function merchant(
  permission: MerchantPermission,
  { whileSuspended = false }: { whileSuspended?: boolean } = {},
): MerchantAccess {
  const { roles, scope, reauthenticated = false } = merchantRule(permission);
  return { kind: "merchant", permission, roles, scope, reauthenticated, whileSuspended };
}
