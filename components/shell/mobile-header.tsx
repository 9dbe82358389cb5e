import { useTranslations } from "next-intl";
import { LanguageSelect } from "@/components/shell/language-select";
import { LanguageSuggestion } from "@/components/shell/language-suggestion";
import { NavLink } from "@/components/shell/nav-link";
import { Link } from "@/components/ui/link";
import { Logo } from "./logo";

/** The header of a mobile page: the shop's name and the language. All navigation is in the bar at the bottom. */
export function MobileHeader({ brand }: { brand: string }) {
  const t = useTranslations("ui.header");
  const links = useTranslations("ui.links");
  return (
    <header className="mobile-header measure">
      <a href="#content" className="skip-link">
        {t("skip")}
      </a>
      <Link
        href="/"
        className="hit -ml-1 flex min-w-0 items-center gap-2 justify-self-start rounded-control px-1 text-17 font-semibold"
      >
        <Logo size={22} />
        <span className="min-w-0 truncate">{brand}</span>
      </Link>
      <LanguageSuggestion />
      <span className="flex items-center">
        <NavLink href="/help" className="header-item">
          {links("help")}
        </NavLink>
        <span className="-mr-3">
          <LanguageSelect label={t("language")} compact />
        </span>
      </span>
    </header>
  );
}
