import { mayStaff, type Permission } from "@/lib/platform/auth/permissions";

/** The groups of the rail, in its order. `console.frame.group.<name>` is the heading. */
export const SCREEN_GROUPS = ["inbox", "sales", "catalogue", "merchants", "growth", "team"] as const;
export type ScreenGroup = (typeof SCREEN_GROUPS)[number];

export type ConsoleScreen = {
  path: string;
  group: ScreenGroup;
  /** `console.frame.<name>` is its name. */
  name:
    | "today"
    | "approvals"
    | "orders"
    | "customers"
    | "refunds"
    | "declarations"
    | "fraud_warnings"
    | "replacements"
    | "disputes"
    | "mails"
    | "messages"
    | "reports"
    | "products"
    | "imports"
    | "categories"
    | "keys"
    | "reviews"
    | "merchants"
    | "applications"
    | "commission"
    | "payouts"
    | "ledger"
    | "taxes"
    | "trade_files"
    | "changes"
    | "campaigns"
    | "referrals"
    | "announcements"
    | "posts"
    | "insight"
    | "people"
    | "audit"
    | "stuck"
    | "settings"
    | "security";
  /** null: for every staff member */
  permission: Permission | null;
  /** The screen whose entry of the rail leads here too: both are tabs of one page. `account`: the menu of the person. */
  within?: ConsoleScreen["name"] | "account";
};

/**
 * The screens of the staff console, in the order of the rail within their group, each followed by those within it. At most
 * 22 have an entry, so that all are in sight at 900 pixels. Only screens that exist.
 */
export const CONSOLE_SCREENS: readonly ConsoleScreen[] = [
  { path: "/console", group: "inbox", name: "today", permission: null },
  { path: "/console/messages", group: "inbox", name: "messages", permission: "messages.answer" },
  {
    path: "/console/reports",
    group: "inbox",
    name: "reports",
    permission: "reports.decide",
    within: "messages",
  },
  { path: "/console/orders", group: "sales", name: "orders", permission: "orders.read" },
  { path: "/console/customers", group: "sales", name: "customers", permission: "customers.read" },
  { path: "/console/refunds", group: "sales", name: "refunds", permission: "refunds.decide" },
  {
    path: "/console/disputes",
    group: "sales",
    name: "disputes",
    permission: "disputes.read",
    within: "refunds",
  },
  {
    path: "/console/declarations",
    group: "sales",
    name: "declarations",
    permission: "refunds.decide",
    within: "refunds",
  },
  {
    path: "/console/fraud-warnings",
    group: "sales",
    name: "fraud_warnings",
    permission: "refunds.decide",
    within: "refunds",
  },
  { path: "/console/replacements", group: "sales", name: "replacements", permission: "replacements.decide" },
  { path: "/console/mails", group: "sales", name: "mails", permission: "mails.read" },
  { path: "/console/products", group: "catalogue", name: "products", permission: "products.read" },
  {
    path: "/console/imports",
    group: "catalogue",
    name: "imports",
    permission: "imports.read",
    within: "products",
  },
  { path: "/console/categories", group: "catalogue", name: "categories", permission: "products.write" },
  { path: "/console/keys", group: "catalogue", name: "keys", permission: "products.read" },
  { path: "/console/reviews", group: "catalogue", name: "reviews", permission: "reviews.moderate" },
  { path: "/console/merchants", group: "merchants", name: "merchants", permission: "merchants.read" },
  {
    path: "/console/applications",
    group: "merchants",
    name: "applications",
    permission: "applications.read",
    within: "merchants",
  },
  {
    path: "/console/commission",
    group: "merchants",
    name: "commission",
    permission: "commission.read",
    within: "merchants",
  },
  { path: "/console/payouts", group: "merchants", name: "payouts", permission: "payouts.read" },
  {
    path: "/console/ledger",
    group: "merchants",
    name: "ledger",
    permission: "payouts.read",
    within: "payouts",
  },
  {
    path: "/console/taxes",
    group: "merchants",
    name: "taxes",
    permission: "payouts.read",
    within: "payouts",
  },
  {
    path: "/console/trade-files",
    group: "merchants",
    name: "trade_files",
    permission: "trade.read",
    within: "merchants",
  },
  { path: "/console/changes", group: "merchants", name: "changes", permission: "changes.decide" },
  { path: "/console/campaigns", group: "growth", name: "campaigns", permission: "campaigns.manage" },
  {
    path: "/console/referrals",
    group: "growth",
    name: "referrals",
    permission: "campaigns.manage",
    within: "campaigns",
  },
  {
    path: "/console/announcements",
    group: "growth",
    name: "announcements",
    permission: "announcements.manage",
  },
  { path: "/console/posts", group: "growth", name: "posts", permission: "posts.write" },
  { path: "/console/insight", group: "growth", name: "insight", permission: "insight.read" },
  { path: "/console/people", group: "team", name: "people", permission: "staff.manage" },
  {
    path: "/console/settings",
    group: "team",
    name: "settings",
    permission: "shop.manage",
    within: "people",
  },
  { path: "/console/approvals", group: "team", name: "approvals", permission: "approvals.decide" },
  {
    path: "/console/audit",
    group: "team",
    name: "audit",
    permission: "audit.read",
    within: "approvals",
  },
  { path: "/console/stuck", group: "team", name: "stuck", permission: "orders.read" },
  { path: "/console/security", group: "team", name: "security", permission: null, within: "account" },
];

/** The screens that these roles may open. */
export const screensFor = (roles: readonly string[]): ConsoleScreen[] =>
  CONSOLE_SCREENS.filter(({ permission }) => permission === null || mayStaff(roles, permission));

/** An entry of the rail: a screen and those within it, of which the first one is opened. */
export type ScreenFamily = { group: ScreenGroup; members: ConsoleScreen[] };

/** The entries of the rail. A screen whose head may not be opened is an entry itself. */
export function familiesOf(screens: readonly ConsoleScreen[]): ScreenFamily[] {
  const families = new Map<string, ScreenFamily>();
  for (const screen of screens) {
    if (screen.within === "account") continue;
    const head = screen.within ?? screen.name;
    const family = families.get(head);
    if (family) family.members.push(screen);
    else families.set(head, { group: screen.group, members: [screen] });
  }
  return [...families.values()];
}
