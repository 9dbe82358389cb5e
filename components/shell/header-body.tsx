"use client";

import type { ReactNode } from "react";
import { AccountLink } from "@/components/shell/account-link";
import { CartCount } from "@/components/shell/cart-count";
import { LanguageSelect } from "@/components/shell/language-select";
import { NavLink } from "@/components/shell/nav-link";
import type { HeaderLabels } from "@/components/shell/site-header";
import { HEADER_LINKS, SELL_LINK } from "@/components/shell/site-links";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Logo } from "./logo";

/** A client component, so that the page carries the header's text only and not its markup a second time. */
export function HeaderBody({
  brand,
  labels,
  search,
}: {
  brand: string;
  labels: HeaderLabels;
  search: ReactNode;
}) {
  return (
    <header className="border-b border-hairline">
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
        <nav aria-label={labels.nav} className="flex items-center max-xl:hidden">
          {HEADER_LINKS.map(({ href }, i) => (
            <NavLink key={href} href={href} className="header-item">
              {labels.links[i]}
            </NavLink>
          ))}
        </nav>
        <div className="flex min-w-40 flex-1 px-2">{search}</div>
        <LanguageSelect label={labels.language} />
        <Link href={SELL_LINK.href} className="header-item border border-hairline px-3">
          {labels.sell}
        </Link>
        <nav aria-label={labels.accountNav} className="-mr-2.5 flex items-center whitespace-nowrap">
          <AccountLink labels={labels} className="header-item" />
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
