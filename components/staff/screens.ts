import { mayStaff, type Permission } from "@/lib/staff/rules";

export type ConsoleScreen = {
  path: string;
  /** `console.frame.<name>` is its name. */
  name:
    | "orders"
    | "customers"
    | "mails"
    | "products"
    | "categories"
    | "keys"
    | "imports"
    | "posts"
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
  { path: "/console/customers", name: "customers", permission: "customers.read" },
  { path: "/console/mails", name: "mails", permission: "mails.read" },
  { path: "/console/products", name: "products", permission: "products.read" },
  { path: "/console/categories", name: "categories", permission: "products.write" },
  { path: "/console/keys", name: "keys", permission: "products.read" },
  { path: "/console/imports", name: "imports", permission: "imports.read" },
  { path: "/console/posts", name: "posts", permission: "posts.write" },
  { path: "/console/applications", name: "applications", permission: "applications.read" },
  { path: "/console/approvals", name: "approvals", permission: "approvals.decide" },
  { path: "/console/people", name: "people", permission: "staff.manage" },
  { path: "/console/audit", name: "audit", permission: "audit.read" },
  { path: "/console/security", name: "security", permission: null },
];

/** The screens that these roles may open. */
export const screensFor = (roles: readonly string[]): ConsoleScreen[] =>
  CONSOLE_SCREENS.filter(({ permission }) => permission === null || mayStaff(roles, permission));
