"use client";

import type { ReactNode } from "react";
import { CartCount } from "@/components/shell/cart-count";
import { CategoryMenu } from "@/components/shell/category-menu";
import { LanguageSelect } from "@/components/shell/language-select";
import { LanguageSuggestion } from "@/components/shell/language-suggestion";
import { NavLink } from "@/components/shell/nav-link";
import { useSessionSummary } from "@/components/shell/session-summary";
import { HEADER_LINKS, SELL_LINK } from "@/components/shell/site-links";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import type { HeaderLabels } from "./labels";
import { Logo } from "./logo";

/**
 * The header of desktop pages, without personal data (docs/product.md#23-header-footer-banners). A client component, so
 * that the page carries the header's text only and not its markup a second time.
 */
export function SiteHeader({
  brand,
  labels,
  search,
}: {
  brand: string;
  labels: HeaderLabels;
  search: ReactNode;
}) {
  return (
    <header className="site-header border-b border-hairline">
      <a href="#content" className="skip-link">
        {labels.skip}
      </a>
      <div className="measure flex min-h-18 items-center gap-3">
        <Link
          href="/"
          className="hit -ml-1 flex items-center gap-2.5 rounded-control px-1 text-21 font-semibold"
        >
          <Logo />
          {brand}
        </Link>
        <nav aria-label={labels.nav} className="flex items-center max-lg:hidden [&>a]:max-xl:hidden">
          <CategoryMenu labels={labels.categories} />
          {HEADER_LINKS.map(({ href }, i) => (
            <NavLink key={href} href={href} className="header-item">
              {labels.links[i]}
            </NavLink>
          ))}
        </nav>
        <div className="flex min-w-40 flex-1">{search}</div>
        <span className="relative">
          <LanguageSelect label={labels.language} />
          <LanguageSuggestion />
        </span>
        <Link href={SELL_LINK.href} className="header-item border border-hairline px-3">
          {labels.sell}
        </Link>
        <nav aria-label={labels.accountNav} className="-mr-2.5 flex items-center whitespace-nowrap">
          <AccountLink labels={labels} />
          <NavLink href="/library" className="header-item">
            <Icon name="library" />
            <span className="sr-only">{labels.library}</span>
          </NavLink>
          <NavLink href="/cart" className="header-item">
            <Icon name="cart" />
            <span className="sr-only">{labels.cart}</span>
            <CartCount />
          </NavLink>
        </nav>
      </div>
    </header>
  );
}

/**
 * Until the session is known it leads to the profile, which leads guests on, and names neither. Both labels share one grid
 * cell, so that its width is fixed.
 */
function AccountLink({ labels }: { labels: HeaderLabels }) {
  const signedIn = useSessionSummary()?.signedIn;
  const cell = (isShown: boolean) => `col-start-1 row-start-1 ${isShown ? "" : "invisible"}`;
  return (
    <Link href={signedIn === false ? "/login" : "/profile"} className="header-item">
      <Icon name="user" />
      {signedIn === undefined && <span className="sr-only">{labels.me}</span>}
      <span className="inline-grid max-xl:sr-only">
        <span className={cell(signedIn === true)}>{labels.account}</span>
        <span className={cell(signedIn === false)}>{labels.login}</span>
      </span>
    </Link>
  );
}
