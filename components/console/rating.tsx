import { useTranslations } from "next-intl";

const STARS = 5;

/** Stars of a review, on one line. */
export function Rating({ value }: { value: number }) {
  const t = useTranslations("console.table");
  return (
    <>
      <span aria-hidden="true" className="text-warn">
        {"★".repeat(value)}
        <span className="text-quiet">{"☆".repeat(STARS - value)}</span>
      </span>
      <span className="sr-only">{t("stars", { count: value })}</span>
    </>
  );
}
