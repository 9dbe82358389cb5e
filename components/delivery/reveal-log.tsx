import { useLocale, useTranslations } from "next-intl";
import type { RevealView } from "@/lib/delivery/contract";
import { formatMoment } from "@/lib/platform/format";

/** Lists every time that a code was revealed or emailed, so that the owner can detect unauthorized access. */
export function RevealLog({ reveals }: { reveals: RevealView[] }) {
  const t = useTranslations("delivery.log");
  const locale = useLocale();
  if (reveals.length === 0) return null;
  return (
    <details className="border-t border-hairline pt-3">
      <summary className="hit cursor-pointer font-medium">{t("title", { count: reveals.length })}</summary>
      <ul className="space-y-1.5 pt-2">
        {reveals.map(({ at, way, device }) => (
          <li key={`${at} ${way}`} className="flex flex-wrap justify-between gap-x-4">
            <span>
              {way === "mailed" ? t("mailed") : device ? t("shown", { device }) : t("shown_somewhere")}
            </span>
            <time dateTime={at} className="figures text-quiet">
              {formatMoment(at, locale)}
            </time>
          </li>
        ))}
      </ul>
      <p className="pt-3 text-13 text-quiet">{t("strange")}</p>
    </details>
  );
}
