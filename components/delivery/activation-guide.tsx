import { useTranslations } from "next-intl";
import type { ActivationView } from "@/lib/catalog/contract";

/** Collapsible instructions on where and how to redeem a code. */
export function ActivationGuide({
  guide,
  lang,
  open = false,
}: {
  guide: ActivationView;
  lang?: string;
  open?: boolean;
}) {
  const t = useTranslations("delivery.guide");
  if (guide.steps.length === 0 && !guide.url) return null;
  return (
    <details className="border-t border-hairline pt-3" open={open}>
      <summary className="hit cursor-pointer font-medium">{t("title")}</summary>
      <ol className="list-decimal space-y-1.5 pt-2 pl-5" lang={lang}>
        {guide.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {guide.url && (
        <p className="pt-3">
          <a href={guide.url} rel="noopener noreferrer" target="_blank" className="break-all underline">
            {t("open")}
          </a>
        </p>
      )}
    </details>
  );
}
