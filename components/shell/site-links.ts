import type { IconName } from "@/components/ui/icon";

/**
 * All links of the header, footer and mobile bar, by desktop path. A page is added here only once it exists, so that
 * there are no dead links. `text` is its key under `ui.links`.
 */
export type SiteLink = { href: string; text: LinkText; icon: IconName };
export type LinkText =
  | "home"
  | "trending"
  | "offers"
  | "search"
  | "library"
  | "cart"
  | "profile"
  | "orders"
  | "blog"
  | "free"
  | "coupons"
  | "invite"
  | "sell"
  | "privacy"
  | "terms"
  | "refunds"
  | "withdraw";

/** The links beside the shop's name in the header. */
export const HEADER_LINKS: readonly SiteLink[] = [
  { href: "/top-trending", text: "trending", icon: "ticket" },
  { href: "/limited-offer", text: "offers", icon: "clock" },
  { href: "/blog", text: "blog", icon: "library" },
];

/** The header's button for partner merchants. */
export const SELL_LINK: SiteLink = { href: "/business/register", text: "sell", icon: "ticket" };

/** The footer columns, with headings under `ui.footer.<heading>`. */
export const FOOTER_COLUMNS: readonly {
  heading: "shop" | "account" | "legal";
  links: readonly SiteLink[];
}[] = [
  {
    heading: "shop",
    links: [
      { href: "/", text: "home", icon: "home" },
      { href: "/top-trending", text: "trending", icon: "ticket" },
      { href: "/limited-offer", text: "offers", icon: "clock" },
      { href: "/free-voucher", text: "free", icon: "ticket" },
      { href: "/blog", text: "blog", icon: "library" },
      { href: "/search", text: "search", icon: "search" },
    ],
  },
  {
    heading: "account",
    links: [
      { href: "/library", text: "library", icon: "library" },
      { href: "/order-history", text: "orders", icon: "card" },
      { href: "/cart", text: "cart", icon: "cart" },
      { href: "/coupons", text: "coupons", icon: "ticket" },
      { href: "/invite", text: "invite", icon: "share" },
      { href: "/profile", text: "profile", icon: "user" },
      SELL_LINK,
    ],
  },
  {
    heading: "legal",
    links: [
      { href: "/privacy-policy", text: "privacy", icon: "info" },
      { href: "/terms-of-service", text: "terms", icon: "info" },
      { href: "/refund-policy", text: "refunds", icon: "info" },
      { href: "/withdraw", text: "withdraw", icon: "info" },
    ],
  },
];

/** The links of the mobile navigation bar. */
export const BAR_LINKS: readonly SiteLink[] = [
  { href: "/", text: "home", icon: "home" },
  { href: "/search", text: "search", icon: "search" },
  { href: "/limited-offer", text: "offers", icon: "ticket" },
  { href: "/cart", text: "cart", icon: "cart" },
  { href: "/profile", text: "profile", icon: "user" },
];
