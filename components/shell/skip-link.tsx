import { useTranslations } from "next-intl";

/** The first stop of the keyboard: past the header, to the page's `#content`. Seen only while it has the focus. */
export function SkipLink() {
  const t = useTranslations("ui.header");
  return (
    <a
      href="#content"
      className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-control focus:bg-ink focus:px-4 focus:py-3 focus:text-paper"
    >
      {t("skip")}
    </a>
  );
}
