import { useTranslations } from "next-intl";

/** The first keyboard stop, which skips the header and leads to `#content`. It is visible only while focused. */
export function SkipLink() {
  const t = useTranslations("ui.header");
  return (
    <a href="#content" className="skip-link">
      {t("skip")}
    </a>
  );
}
