import { useTranslations } from "next-intl";
import { ACCOUNT_PAGES, PAYMENT_PAGE } from "@/components/accounts/account-pages";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";

/** Links to the account pages. */
export function AccountLinks() {
  const t = useTranslations("accounts.profile");
  const names = useTranslations("ui.links");
  const payments = useTranslations("payments.cards");
  const links = [
    ...ACCOUNT_PAGES.map(({ name, ...page }) => ({ ...page, title: names(name), text: t(name) })),
    { ...PAYMENT_PAGE, title: payments("page_title"), text: t("payment") },
  ];
  return (
    <nav aria-label={t("places")}>
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
