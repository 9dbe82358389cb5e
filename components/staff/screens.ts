import { mayStaff, type Permission } from "@/lib/platform/auth/permissions";

/** The groups of the rail, in its order. `console.frame.group.<name>` is the heading. */
export const SCREEN_GROUPS = ["sales", "catalogue", "marketing", "staff"] as const;
export type ScreenGroup = (typeof SCREEN_GROUPS)[number];

export type ConsoleScreen = {
  path: string;
  group: ScreenGroup;
  /** `console.frame.<name>` is its name. */
  name:
    | "today"
    | "orders"
    | "refunds"
    | "replacements"
    | "disputes"
    | "stuck"
    | "customers"
    | "mails"
    | "products"
    | "changes"
    | "keys"
    | "imports"
    | "reviews"
    | "campaigns"
    | "referrals"
    | "announcements"
    | "posts"
    | "insight"
    | "applications"
    | "merchants"
    | "commission"
    | "approvals"
    | "people"
    | "settings"
    | "audit"
    | "security";
  /** null: for every staff member */
  permission: Permission | null;
};

/** The screens of the staff console, in the order of the rail within their group. Only screens that exist. */
export const CONSOLE_SCREENS: readonly ConsoleScreen[] = [
  { path: "/console", group: "sales", name: "today", permission: null },
  { path: "/console/orders", group: "sales", name: "orders", permission: "orders.read" },
  { path: "/console/refunds", group: "sales", name: "refunds", permission: "refunds.decide" },
  { path: "/console/replacements", group: "sales", name: "replacements", permission: "replacements.decide" },
  { path: "/console/disputes", group: "sales", name: "disputes", permission: "disputes.read" },
  { path: "/console/stuck", group: "sales", name: "stuck", permission: "orders.read" },
  { path: "/console/customers", group: "sales", name: "customers", permission: "customers.read" },
  { path: "/console/mails", group: "sales", name: "mails", permission: "mails.read" },
  { path: "/console/products", group: "catalogue", name: "products", permission: "products.read" },
  { path: "/console/changes", group: "catalogue", name: "changes", permission: "changes.decide" },
  { path: "/console/keys", group: "catalogue", name: "keys", permission: "products.read" },
  { path: "/console/imports", group: "catalogue", name: "imports", permission: "imports.read" },
  { path: "/console/reviews", group: "catalogue", name: "reviews", permission: "reviews.moderate" },
  { path: "/console/campaigns", group: "marketing", name: "campaigns", permission: "campaigns.manage" },
  { path: "/console/referrals", group: "marketing", name: "referrals", permission: "campaigns.manage" },
  {
    path: "/console/announcements",
    group: "marketing",
    name: "announcements",
    permission: "announcements.manage",
  },
  { path: "/console/posts", group: "marketing", name: "posts", permission: "posts.write" },
  { path: "/console/insight", group: "marketing", name: "insight", permission: "insight.read" },
  { path: "/console/applications", group: "staff", name: "applications", permission: "applications.read" },
  { path: "/console/merchants", group: "staff", name: "merchants", permission: "merchants.read" },
  { path: "/console/commission", group: "staff", name: "commission", permission: "commission.read" },
  { path: "/console/approvals", group: "staff", name: "approvals", permission: "approvals.decide" },
  { path: "/console/people", group: "staff", name: "people", permission: "staff.manage" },
  { path: "/console/settings", group: "staff", name: "settings", permission: "shop.manage" },
  { path: "/console/audit", group: "staff", name: "audit", permission: "audit.read" },
  { path: "/console/security", group: "staff", name: "security", permission: null },
];

/** The screens that these roles may open. */
export const screensFor = (roles: readonly string[]): ConsoleScreen[] =>
  CONSOLE_SCREENS.filter(({ permission }) => permission === null || mayStaff(roles, permission));
