import { useTranslations } from "next-intl";
import { NavLink } from "@/components/shell/nav-link";
import { ScrollRow } from "@/components/ui/scroll-row";
import { ACCOUNT_PAGES, PAYMENT_PAGE } from "./account-pages";

/** The one-line account navigation shown on every account page. The profile page shows the same links in full. */
export function AccountNav() {
  const t = useTranslations("accounts.profile");
  const names = useTranslations("ui.links");
  const payments = useTranslations("payments.cards");
  const links = [
    { href: "/profile", title: names("profile") },
    ...ACCOUNT_PAGES.filter(({ name }) => name !== "cart").map(({ name, href }) => ({
      href,
      title: names(name),
    })),
    { href: PAYMENT_PAGE.href, title: payments("page_title") },
  ];
  return (
    <nav aria-label={t("places")} className="print:hidden">
      <ScrollRow className="-mx-2 flex gap-x-1 overflow-x-auto whitespace-nowrap [scrollbar-width:none] md:flex-wrap">
        {links.map(({ href, title }) => (
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
