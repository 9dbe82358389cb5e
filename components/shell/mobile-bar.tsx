"use client";

import { CartCount } from "@/components/shell/cart-count";
import { NavLink } from "@/components/shell/nav-link";
import { BAR_LINKS } from "@/components/shell/site-links";
import { Icon } from "@/components/ui/icon";

/** The mobile navigation bar. The profile page redirects guests to the login. `links` are in the order of BAR_LINKS. */
export function MobileBar({ nav, links }: { nav: string; links: readonly string[] }) {
  return (
    <nav
      aria-label={nav}
      className="mobile-bar fixed low:static inset-x-0 bottom-0 z-30 border-t border-hairline bg-paper pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="mx-auto grid h-15 max-w-lg grid-cols-5">
        {BAR_LINKS.map((link, i) => (
          <li key={link.href}>
            <NavLink href={link.href} className="bar-item">
              <Icon name={link.icon} size={22} />
              {links[i]}
              {link.text === "cart" && <CartCount className="absolute top-1 left-1/2 ml-1.5" />}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
