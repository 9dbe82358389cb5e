"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { Icon } from "@/components/ui/icon";

type Props = {
  total: number;
  /** How far a list without an index has looked. */
  lookedBackTo?: string | undefined;
  first?: string | undefined;
  next?: string | undefined;
};

/** The links to the pages of a list; without any, nothing. */
export function Pager({ total, lookedBackTo, first, next }: Props) {
  const t = useTranslations("console.table");
  if (!first && !next && !lookedBackTo) return null;
  return (
    <nav aria-label={t("pages")} className="flex flex-wrap items-center justify-end gap-3 pt-3">
      {lookedBackTo && (
        <p className="flex-1 text-quiet">{t("looked_back", { count: total, date: lookedBackTo })}</p>
      )}
      {first && (
        <ConsoleLink href={first} className="button button-secondary">
          {t("first_page")}
        </ConsoleLink>
      )}
      {next && (
        <ConsoleLink href={next} className="button button-secondary">
          {lookedBackTo ? t("look_on") : t("next_page")}
          <Icon name="right" size={16} />
        </ConsoleLink>
      )}
    </nav>
  );
}
