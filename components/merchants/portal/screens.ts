import { type MerchantPermission, type MerchantRole, merchantRule } from "@/lib/merchants/rules";

/** The groups of the rail, in its order. `console.merchant.group.<name>` is the heading. */
export const MERCHANT_GROUPS = ["selling", "shop", "team"] as const;

export type MerchantScreen = {
  /** below `/merchant/{handle}` */
  path: string;
  group: (typeof MERCHANT_GROUPS)[number];
  /** `console.merchant.screen.<name>` is its name. */
  name:
    | "home"
    | "sales"
    | "money"
    | "requests"
    | "reviews"
    | "insight"
    | "products"
    | "changes"
    | "bulk"
    | "profile"
    | "business"
    | "team"
    | "tokens"
    | "webhooks"
    | "developers"
    | "security"
    | "notices"
    | "keys";
  permission: MerchantPermission;
};

/** The screens of a merchant's console, in the order of the rail within their group. Only screens that exist. */
export const MERCHANT_SCREENS: readonly MerchantScreen[] = [
  { path: "", group: "selling", name: "home", permission: "profile.read" },
  { path: "/sales", group: "selling", name: "sales", permission: "sales.read" },
  { path: "/money", group: "selling", name: "money", permission: "money.read" },
  { path: "/requests", group: "selling", name: "requests", permission: "requests.read" },
  { path: "/reviews", group: "selling", name: "reviews", permission: "requests.read" },
  { path: "/insight", group: "selling", name: "insight", permission: "insight.read" },
  { path: "/profile", group: "shop", name: "profile", permission: "profile.write" },
  { path: "/business", group: "shop", name: "business", permission: "trade.read" },
  { path: "/team", group: "team", name: "team", permission: "team.manage" },
  { path: "/tokens", group: "team", name: "tokens", permission: "tokens.manage" },
  { path: "/webhooks", group: "team", name: "webhooks", permission: "webhooks.read" },
  { path: "/developers", group: "team", name: "developers", permission: "profile.read" },
  { path: "/notices", group: "team", name: "notices", permission: "profile.read" },
  { path: "/security", group: "team", name: "security", permission: "profile.read" },
  { path: "/products", group: "shop", name: "products", permission: "products.read" },
  { path: "/changes", group: "shop", name: "changes", permission: "products.read" },
  { path: "/bulk", group: "shop", name: "bulk", permission: "products.read" },
  { path: "/keys", group: "selling", name: "keys", permission: "keys.read" },
];

/** The screens that this role may open. */
export const merchantScreensFor = (role: MerchantRole): MerchantScreen[] =>
  MERCHANT_SCREENS.filter(({ permission }) => merchantRule(permission).roles.includes(role));
