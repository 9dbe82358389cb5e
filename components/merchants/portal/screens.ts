import { type MerchantPermission, type MerchantRole, merchantRule } from "@/lib/merchants/rules";

/** The groups of the rail, in its order. `console.merchant.group.<name>` is the heading. */
export const MERCHANT_GROUPS = ["selling", "shop", "team"] as const;

export type MerchantScreen = {
  /** below `/merchant/{handle}` */
  path: string;
  group: (typeof MERCHANT_GROUPS)[number];
  /** `console.merchant.screen.<name>` is its name. */
  name: "home" | "keys";
  permission: MerchantPermission;
};

/** The screens of a merchant's console, in the order of the rail within their group. Only screens that exist. */
export const MERCHANT_SCREENS: readonly MerchantScreen[] = [
  { path: "", group: "selling", name: "home", permission: "profile.read" },
  { path: "/keys", group: "selling", name: "keys", permission: "keys.read" },
];

/** The screens that this role may open. */
export const merchantScreensFor = (role: MerchantRole): MerchantScreen[] =>
  MERCHANT_SCREENS.filter(({ permission }) => merchantRule(permission).roles.includes(role));
