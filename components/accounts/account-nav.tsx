import { useTranslations } from "next-intl";
import { NavLink } from "@/components/shell/nav-link";
import { Icon, type IconName } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { ScrollRow } from "@/components/ui/scroll-row";
import type { ProfilePage } from "@/lib/accounts/profile/contract";

const ACCOUNT_PAGES = [
  { name: "library", href: "/library", icon: "library" },
  { name: "orders", href: "/order-history", icon: "clock" },
  { name: "cart", href: "/cart", icon: "cart" },
  { name: "wishlist", href: "/wishlist", icon: "heart" },
  { name: "coupons", href: "/coupons", icon: "ticket" },
  { name: "invite", href: "/invite", icon: "share" },
  { name: "messages", href: "/messages", icon: "mail" },
] as const;

/** The account pages with their titles and descriptions. */
function useAccountPages() {
  const t = useTranslations("accounts.profile");
  const names = useTranslations("ui.links");
  const payments = useTranslations("payments.cards");
  return [
    ...ACCOUNT_PAGES.map(({ name, ...page }) => ({ ...page, title: names(name), text: t(name) })),
    { href: "/payment-billing", icon: "card", title: payments("page_title"), text: t("payment") } as const,
  ];
}

/** The one-line account navigation shown on every account page. The profile page shows the same links in full. */
export function AccountNav() {
  const t = useTranslations("accounts.profile");
  const names = useTranslations("ui.links");
  const pages = useAccountPages().filter(({ href }) => href !== "/cart");
  return (
    <nav aria-label={t("places")} className="print:hidden">
      <ScrollRow className="-mx-2 flex gap-x-1 overflow-x-auto whitespace-nowrap [scrollbar-width:none] md:w-max md:max-w-[calc(100vw-2*var(--measure-edge))] md:flex-wrap">
        {[{ href: "/profile", title: names("profile") }, ...pages].map(({ href, title }) => (
          <li key={href}>
            <NavLink
              href={href}
              className="inline-flex min-h-11 min-w-11 items-center justify-center px-2 text-15 text-quiet hover:underline aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {title}
            </NavLink>
          </li>
        ))}
      </ScrollRow>
    </nav>
  );
}

/** The links to the account pages on the profile. */
export function AccountLinks() {
  const t = useTranslations("accounts.profile");
  return <LinkList label={t("places")} links={useAccountPages()} />;
}

/** The links to the consoles that the account may open. */
export function ConsoleLinks({ staff, merchants }: ProfilePage["consoles"]) {
  const t = useTranslations("accounts.profile");
  const links = [
    ...merchants.map(({ handle, name }) => ({
      href: `/merchant/${handle}`,
      icon: "table" as const,
      title: name,
      text: t("merchant_console"),
    })),
    ...(staff
      ? [
          {
            href: "/console",
            icon: "desktop" as const,
            title: t("staff_console_title"),
            text: t("staff_console"),
          },
        ]
      : []),
  ];
  return links.length > 0 && <LinkList label={t("consoles")} links={links} />;
}

type LinkListProps = {
  label: string;
  links: readonly { href: string; icon: IconName; title: string; text: string }[];
};

function LinkList({ label, links }: LinkListProps) {
  return (
    <nav aria-label={label}>
      <ul className="divide-y divide-hairline rounded-ticket border border-hairline bg-raised">
        {links.map(({ title, text, href, icon }) => (
          <li key={href}>
            <Link href={href} className="group flex items-center gap-4 rounded-ticket px-5 py-3.5">
              <Icon name={icon} size={22} className="text-quiet" />
              <span className="min-w-0 flex-1">
                <span className="block font-semibold group-hover:underline">{title}</span>
                <span className="block text-13 text-quiet">{text}</span>
              </span>
              <Icon name="right" size={18} className="text-quiet" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
