import { mayStaff, type Permission } from "@/lib/staff/rules";

export type ConsoleScreen = {
  path: string;
  /** `console.frame.<name>` is its name. */
  name:
    | "orders"
    | "customers"
    | "mails"
    | "replacements"
    | "disputes"
    | "stuck"
    | "reviews"
    | "products"
    | "keys"
    | "applications"
    | "approvals"
    | "people"
    | "audit"
    | "security";
  /** null: for every staff member */
  permission: Permission | null;
};

/** The screens of the staff console, in the order of the rail. Only screens that exist. */
export const CONSOLE_SCREENS: readonly ConsoleScreen[] = [
  { path: "/console/orders", name: "orders", permission: "orders.read" },
  { path: "/console/replacements", name: "replacements", permission: "replacements.decide" },
  { path: "/console/disputes", name: "disputes", permission: "disputes.read" },
  { path: "/console/stuck", name: "stuck", permission: "orders.read" },
  { path: "/console/customers", name: "customers", permission: "customers.read" },
  { path: "/console/mails", name: "mails", permission: "mails.read" },
  { path: "/console/products", name: "products", permission: "products.read" },
  { path: "/console/keys", name: "keys", permission: "products.read" },
  { path: "/console/reviews", name: "reviews", permission: "reviews.moderate" },
  { path: "/console/applications", name: "applications", permission: "applications.read" },
  { path: "/console/approvals", name: "approvals", permission: "approvals.decide" },
  { path: "/console/people", name: "people", permission: "staff.manage" },
  { path: "/console/audit", name: "audit", permission: "audit.read" },
  { path: "/console/security", name: "security", permission: null },
];

/** The screens that these roles may open. */
export const screensFor = (roles: readonly string[]): ConsoleScreen[] =>
  CONSOLE_SCREENS.filter(({ permission }) => permission === null || mayStaff(roles, permission));
