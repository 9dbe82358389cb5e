import { getTranslations } from "next-intl/server";
import { CartCount } from "@/components/shell/cart-count";
import { NavLink } from "@/components/shell/nav-link";
import { BAR_LINKS } from "@/components/shell/site-links";
import { Icon } from "@/components/ui/icon";

/** The phone's bar: home, search, offers, cart with its count, me. The profile's own gate asks guests to log in. */
export async function MobileBar() {
  const t = await getTranslations("ui");
  return (
    <nav
      aria-label={t("header.nav")}
      className="mobile-bar fixed inset-x-0 bottom-0 z-30 border-t border-hairline bg-paper pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="mx-auto grid h-15 max-w-lg grid-cols-5">
        {BAR_LINKS.map((link) => (
          <li key={link.href}>
            <NavLink
              href={link.href}
              className="relative flex h-full min-w-11 flex-col items-center justify-center gap-0.5 text-13 leading-4 font-medium whitespace-nowrap text-quiet max-[359px]:text-[0.75rem] aria-[current=page]:text-ink"
            >
              <Icon name={link.icon} size={22} />
              {t(
                `links.${link.text === "profile" ? "me" : link.text === "offers" ? "offers_short" : link.text}`,
              )}
              {link.text === "cart" && <CartCount className="absolute top-1 left-1/2 ml-1.5" />}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
