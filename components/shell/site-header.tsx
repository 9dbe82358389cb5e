import { getTranslations } from "next-intl/server";
import { AccountLink } from "@/components/shell/account-link";
import { BrandMark } from "@/components/shell/brand-mark";
import { CartCount } from "@/components/shell/cart-count";
import { LanguageSelect } from "@/components/shell/language-select";
import { NavLink } from "@/components/shell/nav-link";
import { SearchBox } from "@/components/shell/search-box";
import { HEADER_LINKS, SELL_LINK } from "@/components/shell/site-links";
import { SkipLink } from "@/components/shell/skip-link";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";

const ITEM = "hit flex items-center justify-center gap-2 rounded-control px-2.5 font-medium hover:bg-sunk";

/** The header of desktop pages (spec §2). Nothing in it is personal when served. */
export async function SiteHeader({ brand }: { brand: string }) {
  const t = await getTranslations("ui");
  return (
    <header className="border-b border-hairline">
      <SkipLink />
      <div className="measure flex min-h-18 items-center gap-3">
        <Link
          href="/"
          className="hit -ml-1 flex items-center gap-2.5 rounded-control px-1 text-21 font-semibold"
        >
          <BrandMark />
          {brand}
        </Link>
        <nav aria-label={t("header.nav")} className="flex items-center max-xl:hidden">
          {HEADER_LINKS.map((link) => (
            <NavLink
              key={link.href}
              href={link.href}
              className={`${ITEM} whitespace-nowrap aria-[current=page]:underline aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-8`}
            >
              {t(`links.${link.text}`)}
            </NavLink>
          ))}
        </nav>
        <div className="flex min-w-40 flex-1 px-2">
          <SearchBox surface="desktop" />
        </div>
        <LanguageSelect label={t("header.language")} />
        <Link href={SELL_LINK.href} className={`${ITEM} border border-hairline px-3 whitespace-nowrap`}>
          {t(`links.${SELL_LINK.text}`)}
        </Link>
        <nav aria-label={t("header.account_nav")} className="-mr-2.5 flex items-center whitespace-nowrap">
          <AccountLink words={{ account: t("links.profile"), login: t("links.login") }} className={ITEM} />
          <NavLink href="/library" className={ITEM}>
            <Icon name="library" />
            <span className="sr-only">{t("links.library")}</span>
          </NavLink>
          <NavLink href="/cart" className={ITEM}>
            <Icon name="cart" />
            <span className="sr-only">{t("links.cart")}</span>
            <CartCount />
          </NavLink>
        </nav>
      </div>
    </header>
  );
}
