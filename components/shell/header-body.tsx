"use client";

import type { ReactNode } from "react";
import { AccountLink } from "@/components/shell/account-link";
import { BrandMark } from "@/components/shell/brand-mark";
import { CartCount } from "@/components/shell/cart-count";
import { LanguageSelect } from "@/components/shell/language-select";
import { NavLink } from "@/components/shell/nav-link";
import { HEADER_LINKS, SELL_LINK } from "@/components/shell/site-links";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";

export type HeaderWords = {
  skip: string;
  nav: string;
  /** as HEADER_LINKS */
  links: readonly string[];
  language: string;
  sell: string;
  accountNav: string;
  account: string;
  login: string;
  library: string;
  cart: string;
};

/** The header of desktop pages, drawn by the browser's own copy: a page carries its words only. */
export function HeaderBody({
  brand,
  words,
  search,
}: {
  brand: string;
  words: HeaderWords;
  search: ReactNode;
}) {
  return (
    <header className="border-b border-hairline">
      <a href="#content" className="skip-link">
        {words.skip}
      </a>
      <div className="measure flex min-h-18 items-center gap-3">
        <Link
          href="/"
          className="hit -ml-1 flex items-center gap-2.5 rounded-control px-1 text-21 font-semibold"
        >
          <BrandMark />
          {brand}
        </Link>
        <nav aria-label={words.nav} className="flex items-center max-xl:hidden">
          {HEADER_LINKS.map(({ href }, i) => (
            <NavLink key={href} href={href} className="header-item">
              {words.links[i]}
            </NavLink>
          ))}
        </nav>
        <div className="flex min-w-40 flex-1 px-2">{search}</div>
        <LanguageSelect label={words.language} />
        <Link href={SELL_LINK.href} className="header-item border border-hairline px-3">
          {words.sell}
        </Link>
        <nav aria-label={words.accountNav} className="-mr-2.5 flex items-center whitespace-nowrap">
          <AccountLink words={words} className="header-item" />
          <NavLink href="/library" className="header-item">
            <Icon name="library" />
            <span className="sr-only">{words.library}</span>
          </NavLink>
          <NavLink href="/cart" className="header-item">
            <Icon name="cart" />
            <span className="sr-only">{words.cart}</span>
            <CartCount />
          </NavLink>
        </nav>
      </div>
    </header>
  );
}
