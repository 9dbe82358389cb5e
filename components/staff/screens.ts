import { mayStaff, type Permission } from "@/lib/staff/rules";

/** The groups of the rail, in its order. `console.frame.group.<name>` is the heading. */
export const SCREEN_GROUPS = ["sales", "catalogue", "marketing", "staff"] as const;
export type ScreenGroup = (typeof SCREEN_GROUPS)[number];

export type ConsoleScreen = {
  path: string;
  group: ScreenGroup;
  /** `console.frame.<name>` is its name. */
  name:
    | "orders"
    | "customers"
    | "mails"
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

/** The screens of the staff console, in the order of the rail within their group. Only screens that exist. */
export const CONSOLE_SCREENS: readonly ConsoleScreen[] = [
  { path: "/console/orders", group: "sales", name: "orders", permission: "orders.read" },
  { path: "/console/customers", group: "sales", name: "customers", permission: "customers.read" },
  { path: "/console/mails", group: "sales", name: "mails", permission: "mails.read" },
  { path: "/console/products", group: "catalogue", name: "products", permission: "products.read" },
  { path: "/console/keys", group: "catalogue", name: "keys", permission: "products.read" },
  { path: "/console/applications", group: "staff", name: "applications", permission: "applications.read" },
  { path: "/console/approvals", group: "staff", name: "approvals", permission: "approvals.decide" },
  { path: "/console/people", group: "staff", name: "people", permission: "staff.manage" },
  { path: "/console/audit", group: "staff", name: "audit", permission: "audit.read" },
  { path: "/console/security", group: "staff", name: "security", permission: null },
];

/** The screens that these roles may open. */
export const screensFor = (roles: readonly string[]): ConsoleScreen[] =>
  CONSOLE_SCREENS.filter(({ permission }) => permission === null || mayStaff(roles, permission));
