import { useTranslations } from "next-intl";

export { notFoundMetadata as generateMetadata } from "@/lib/platform/pages/not-found-metadata";

/**
 * For addresses that no rewrite matches, such as "/x.txt". All others show components/shell/not-found-screen.tsx. Every page
 * carries this one, so it is a sentence and a link.
 */
export default function NotFound() {
  const t = useTranslations("ui.not_found");
  return (
    <main id="content" className="measure pt-6 pb-20 outline-none md:pt-10">
      <h1 className="text-28 md:text-40">{t("title")}</h1>
      <a href="/" className="text-link">
        {t("home")}
      </a>
    </main>
  );
}
