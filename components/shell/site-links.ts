import type { Messages } from "next-intl";
import type { IconName } from "@/components/ui/icon";

export type LinkText = keyof Messages["ui"]["links"];

/** A link of header, footer or bar by desktop path, with its key under `ui.links`. Only existing pages are linked. */
export type SiteLink = { href: string; text: LinkText };

/** The links beside the shop's name in the header. */
export const HEADER_LINKS: readonly SiteLink[] = [
  { href: "/top-trending", text: "trending" },
  { href: "/limited-offer", text: "offers" },
  { href: "/help", text: "help" },
];

/** The header's button for partner merchants. */
export const SELL_LINK: SiteLink = { href: "/business/register", text: "sell" };

/** The footer columns, with headings under `ui.footer.<heading>`. */
export const FOOTER_COLUMNS: readonly {
  heading: "shop" | "account" | "legal";
  links: readonly SiteLink[];
}[] = [
  {
    heading: "shop",
    links: [
      { href: "/", text: "home" },
      { href: "/top-trending", text: "trending" },
      { href: "/categories", text: "categories" },
      { href: "/limited-offer", text: "offers" },
      { href: "/free-voucher", text: "free" },
      { href: "/blog", text: "blog" },
      { href: "/search", text: "search" },
      { href: "/help", text: "help" },
    ],
  },
  {
    heading: "account",
    links: [
      { href: "/library", text: "library" },
      { href: "/order-history", text: "orders" },
      { href: "/cart", text: "cart" },
      { href: "/wishlist", text: "wishlist" },
      { href: "/coupons", text: "coupons" },
      { href: "/invite", text: "invite" },
      { href: "/profile", text: "profile" },
      SELL_LINK,
    ],
  },
  {
    heading: "legal",
    links: [
      { href: "/privacy-policy", text: "privacy" },
      { href: "/terms-of-service", text: "terms" },
      { href: "/refund-policy", text: "refunds" },
      { href: "/withdraw", text: "withdraw" },
      { href: "/cookies", text: "cookies" },
      { href: "/accessibility", text: "accessibility" },
      { href: "/ranking-and-reviews", text: "ranking" },
      { href: "/legal/seller", text: "seller" },
    ],
  },
];

/** The links of the mobile navigation bar. */
export const BAR_LINKS: readonly (SiteLink & { icon: IconName })[] = [
  { href: "/", text: "home", icon: "home" },
  { href: "/search", text: "search", icon: "search" },
  { href: "/limited-offer", text: "offers", icon: "ticket" },
  { href: "/cart", text: "cart", icon: "cart" },
  { href: "/profile", text: "profile", icon: "user" },
];
