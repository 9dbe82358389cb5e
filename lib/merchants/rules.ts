import type { MerchantAccess } from "@/lib/platform/api/declaration";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { hasUserinfo } from "@/lib/platform/web-address";

/** States of a merchant application; staff decide (docs/product.md#813-merchants). */
export const APPLICATION_STATES = ["received", "approved", "refused"] as const;
export type ApplicationState = (typeof APPLICATION_STATES)[number];
/** The note to the applicant. */
export const APPLICATION_NOTE_MAX = 1000;

/** The normalised URL of a product page; null unless it is http or https on a public-looking host without credentials. */
export function normalizeProductUrl(text: string): string | null {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url) || hasUserinfo(url)) return null;
  const { protocol, hostname, href } = new URL(url);
  if (!/^https?:$/.test(protocol)) return null;
  const isPublicHost =
    /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i.test(hostname);
  return isPublicHost && !/(?:^|\.)(?:localhost|local|internal|invalid|test)$/i.test(hostname) ? href : null;
}

/** Who a member is in a merchant's team (docs/product.md#14-merchants). */
export const MERCHANT_ROLES = ["owner", "member"] as const;
export type MerchantRole = (typeof MERCHANT_ROLES)[number];

/** Days in which an invitation can be accepted. */
export const INVITE_DAYS = 7;
/** Members and open invitations of a merchant. */
export const TEAM_MAX = 50;
/** Tokens of a merchant that are not revoked, and addresses of one. */
export const TOKENS_MAX = 50;
export const TOKEN_NETWORKS_MAX = 20;

/**
 * The first steps of a new merchant: its profile, the second factor, its business details, the account to which it is paid,
 * the first product, the first codes, and a colleague or a program that helps.
 */
export const FIRST_STEPS = ["profile", "factor", "business", "account", "product", "keys", "help"] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

export const MERCHANT_NAME_MAX = 80;
export const MERCHANT_TEXT_MAX = 1000;
export const STATE_NOTE_MAX = 1000;

/** A merchant's place in addresses: small Latin letters, digits, and hyphens between them. */
export const HANDLE_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])$/;

/** The host of a product page without `www.` and its last part: `https://www.acme-tools.example/x` → `acme-tools`. */
const siteName = (productUrl: string): string =>
  (URL.canParse(productUrl) ? new URL(productUrl).hostname : "")
    .replace(/^www\./, "")
    .split(".")
    .slice(0, -1)
    .join("-");

/** The handle that an applicant's product page suggests; empty when it suggests none. */
export function suggestHandle(productUrl: string): string {
  const handle = siteName(productUrl)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return HANDLE_PATTERN.test(handle) ? handle : "";
}

/** The name that it suggests: `acme-tools` → `Acme Tools`. */
export const suggestName = (productUrl: string): string =>
  siteName(productUrl)
    .split("-")
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(" ")
    .slice(0, MERCHANT_NAME_MAX);

/** The states of an invitation link. `used`: someone has accepted it. */
export const INVITE_STATES = ["open", "used", "expired"] as const;
export type InviteState = (typeof INVITE_STATES)[number];

/** Changes of a merchant's state, and the states from which each leads. `invited` becomes `active` by its first owner. */
export const STATE_CHANGES = {
  pause: { from: ["active"], to: "paused" },
  resume: { from: ["paused", "suspended"], to: "active" },
  suspend: { from: ["active", "paused"], to: "suspended" },
  end: { from: ["invited", "active", "paused", "suspended"], to: "ended" },
} as const satisfies Record<string, { from: readonly MerchantState[]; to: MerchantState }>;
export type StateChange = keyof typeof STATE_CHANGES;

/** The states about which staff's changes are mailed to the owners. */
export const NOTICE_STATES = ["active", "paused", "suspended", "ended"] as const satisfies MerchantState[];
export type NoticeState = (typeof NOTICE_STATES)[number];

/** Whether the change leads on from this state. */
export const mayChangeState = (state: MerchantState, change: StateChange): boolean =>
  (STATE_CHANGES[change].from as readonly MerchantState[]).includes(state);

/**
 * `invited`: approved, without an owner yet. `active`: sells. `paused`: off the shop by its own choice. `suspended`: off the
 * shop by staff, paid orders are still served. `ended`: closed for good.
 */
export const MERCHANT_STATES = ["invited", "active", "paused", "suspended", "ended"] as const;
export type MerchantState = (typeof MERCHANT_STATES)[number];

/** States in which a merchant changes things; in the others it reads, and serves paid orders. */
export const OPEN_STATES: readonly string[] = ["active", "paused"] satisfies MerchantState[];
export const isOpenState = (state: string): boolean => OPEN_STATES.includes(state);

/** Low-risk changes of a trusted merchant need no approval. */
export const MERCHANT_TRUST = ["new", "trusted"] as const;

/** Why a product is off the shop: its merchant's state, or its incomplete trader file (lib/merchants/trade-file). */
export const BLOCK_REASONS = [
  "merchant_invited",
  "merchant_paused",
  "merchant_suspended",
  "merchant_ended",
  "merchant_unverified",
] as const;

export const CHANGE_STATES = ["draft", "proposed", "returned", "approved", "refused", "cancelled"] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

/** What a change of a product is mostly about (lib/merchants/changes/rules.ts). */
export const CHANGE_KINDS = ["new", "plans", "details", "price", "availability", "texts"] as const;
/** `low`: of a trusted merchant it needs no approval. */
export const CHANGE_RISKS = ["low", "high"] as const;

/** Where a merchant has its codes from: its own, or a vendor's under a licence. */
export const BATCH_SOURCES = ["issued", "licensed"] as const;
export const BATCH_STATES = ["running", "done", "failed"] as const;
/** A refused line of a file of codes: its number and why, never its text. */
export type BatchReportLine = { line: number; error: ErrorName; values?: ErrorParams };
/** Tells a merchant that the codes of a plan run low: at so many days of cover, below so many codes, or never. */
export const STOCK_ALERTS = ["days", "codes", "off"] as const;

/** `sold`: nothing came back. `reduced`: a part was refunded. `refunded`: all of it. */
export const SALE_STATES = ["sold", "reduced", "refunded"] as const;
/** Who bears the discount of a sale. */
export const DISCOUNT_FUNDERS = ["shop", "merchant"] as const;

/** What a token may do for its merchant. */
export const TOKEN_SCOPES = [
  "products:read",
  "products:write",
  "keys:write",
  "sales:read",
  "requests:write",
  "money:read",
  "webhooks:write",
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
  "profile.write": { roles: ["owner"], scope: null },
  "notices.choose": { roles: ["owner", "member"], scope: null },
  "trade.read": { roles: ["owner"], scope: null },
  "trade.write": { roles: ["owner"], scope: null, reauthenticated: true },
  "team.manage": { roles: ["owner"], scope: null, reauthenticated: true },
  "tokens.manage": { roles: ["owner"], scope: null, reauthenticated: true },
  "products.read": { roles: ["owner", "member"], scope: "products:read" },
  "products.write": { roles: ["owner", "member"], scope: "products:write" },
  "sales.read": { roles: ["owner", "member"], scope: "sales:read" },
  "money.read": { roles: ["owner", "member"], scope: "money:read" },
  /** the account to which it is paid, the day and the threshold */
  "payouts.manage": { roles: ["owner"], scope: null, reauthenticated: true },
  "requests.read": { roles: ["owner", "member"], scope: "requests:write" },
  "requests.write": { roles: ["owner", "member"], scope: "requests:write" },
  "reviews.reply": { roles: ["owner", "member"], scope: "requests:write" },
  "insight.read": { roles: ["owner", "member"], scope: "sales:read" },
  "keys.read": { roles: ["owner", "member"], scope: "keys:write" },
  "keys.write": { roles: ["owner", "member"], scope: "keys:write" },
  "webhooks.read": { roles: ["owner", "member"], scope: "webhooks:write" },
  "webhooks.send": { roles: ["owner", "member"], scope: "webhooks:write" },
  "webhooks.manage": { roles: ["owner"], scope: "webhooks:write", reauthenticated: true },
} as const satisfies Record<string, MerchantRule>;
export type MerchantPermission = keyof typeof MERCHANT_PERMISSIONS;

export const merchantRule = (permission: MerchantPermission): MerchantRule =>
  MERCHANT_PERMISSIONS[permission];

/** Whether a member may make changes with this permission now: a suspended or ended merchant only reads. */
export const mayChange = (
  { role, merchant: { state } }: { role: MerchantRole; merchant: { state: string } },
  permission: MerchantPermission,
): boolean => merchantRule(permission).roles.includes(role) && isOpenState(state);

/** The permissions of a role. */
export const merchantPermissionsOf = (role: MerchantRole): MerchantPermission[] =>
  (Object.keys(MERCHANT_PERMISSIONS) as MerchantPermission[]).filter((permission) =>
    merchantRule(permission).roles.includes(role),
  );

type AccessOptions = {
  /** It also works for a suspended or ended merchant, which otherwise only reads. */
  whileSuspended?: boolean;
  /** false: a call that reads, with a permission whose changes need a reauthentication. */
  reauthenticated?: boolean;
  /** Its answer is the same for each merchant of a person. */
  anyOf?: boolean;
};

/** The access of a call for merchants: `access: merchant("keys.write")`. */
export function merchant(permission: MerchantPermission, options: AccessOptions = {}): MerchantAccess {
  const { roles, scope, ...rule } = merchantRule(permission);
  const { whileSuspended = false, anyOf = false } = options;
  const { reauthenticated = rule.reauthenticated ?? false } = options;
  return { kind: "merchant", permission, roles, scope, reauthenticated, whileSuspended, anyOf };
}
