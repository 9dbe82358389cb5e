import type { IconName } from "@/components/ui/icon";

type AccountPage = {
  name: "library" | "orders" | "cart" | "coupons" | "invite";
  href: string;
  icon: IconName;
};

/**
 * The account pages. The links for cards and addresses are added separately because their labels belong to another
 * module.
 */
export const ACCOUNT_PAGES: readonly AccountPage[] = [
  { name: "library", href: "/library", icon: "library" },
  { name: "orders", href: "/order-history", icon: "clock" },
  { name: "cart", href: "/cart", icon: "cart" },
  { name: "coupons", href: "/coupons", icon: "ticket" },
  { name: "invite", href: "/invite", icon: "share" },
];
export const PAYMENT_PAGE = { href: "/payment-billing", icon: "card" } as const;
