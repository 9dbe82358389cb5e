import { useTranslations } from "next-intl";
import { NotFoundSuggestions } from "@/components/shell/error-screen";
import { useSearchLabels } from "@/components/shell/search/search-labels";
import { ButtonLink } from "@/components/ui/button";
import { Page } from "@/components/ui/page";

/** The not-found page, served with status 404: a search, products that the address may have meant, and places to start. */
export function NotFoundScreen() {
  const t = useTranslations("ui.not_found");
  const links = useTranslations("ui.links");
  return (
    <Page narrow title={t("title")} lead={t("text")}>
      <NotFoundSuggestions search={useSearchLabels()} title={t("suggestions")} />
      <nav aria-label={t("explore")} className="pt-8">
        <h2 className="pb-3 text-21">{t("explore")}</h2>
        <ul className="flex flex-wrap gap-2">
          {EXPLORE.map(({ href, text }) => (
            <li key={href}>
              <ButtonLink href={href} look={href === "/" ? "primary" : "secondary"}>
                {text === "home" ? t("home") : links(text)}
              </ButtonLink>
            </li>
          ))}
        </ul>
      </nav>
    </Page>
  );
}

const EXPLORE = [
  { href: "/", text: "home" },
  { href: "/categories", text: "categories" },
  { href: "/top-trending", text: "trending" },
  { href: "/limited-offer", text: "offers" },
] as const;
