import { useTranslations } from "next-intl";

/** The first stop of the keyboard: past the header, to the page's `#content`. Seen only while it has the focus. */
export function SkipLink() {
  const t = useTranslations("ui.header");
  return (
    <a href="#content" className="skip-link">
      {t("skip")}
    </a>
  );
}
