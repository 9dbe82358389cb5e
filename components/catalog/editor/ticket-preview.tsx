import { useTranslations } from "next-intl";
import { useState } from "react";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { ChoiceButtons } from "@/components/console/choice-buttons";
import { Emblem } from "@/components/ui/emblem";
import { Price } from "@/components/ui/price";
import { Ticket } from "@/components/ui/ticket/ticket";
import { TicketHero } from "@/components/ui/ticket/ticket-hero";
import type { PriceShown } from "@/lib/catalog/console/contract-editor";
import type { PlanRecord, ProductRecord } from "@/lib/catalog/import/contract";
import { storedPictureHash } from "@/lib/catalog/import/rules-line";
import { HTML_LANG, LOCALES } from "@/lib/platform/i18n/locales";
import { pricePerDay, toCents, toDecimal } from "@/lib/platform/money";
import { useImagePath } from "./audience";

export type PreviewedPlan = { line: PlanRecord; shown: PriceShown };

/** The ticket as buyers will see it, in each language, with the cheapest pass. */
export function TicketPreview({ line, plans }: { line: ProductRecord; plans: readonly PreviewedPlan[] }) {
  const t = useTranslations("console.editor");
  const catalog = useTranslations("catalog");
  const labels = usePassLabels();
  const imagePath = useImagePath();
  const [language, setLanguage] = useState<(typeof LOCALES)[number]>("en");
  const own = line.texts[language];
  const texts = own ?? line.texts.en;
  const hash = line.image === undefined ? null : storedPictureHash(line.image);
  const cheapest = plans.toSorted((a, b) => a.shown.price - b.shown.price)[0];
  const days = cheapest?.line.duration_days ?? null;
  const price = cheapest?.shown.price ?? 0;
  const perDay = price > 0 ? pricePerDay(toCents(price), days) : null;
  const ticket =
    cheapest &&
    labels.ticket({
      ...cheapest.shown,
      pass_type: cheapest.line.type,
      duration_days: days,
      price_per_day: perDay === null ? null : toDecimal(perDay),
    });
  return (
    <section aria-label={t("preview")} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="font-semibold">{t("preview")}</p>
        <ChoiceButtons
          value={language}
          options={LOCALES.map((locale) => ({ value: locale, label: t(`language.${locale}`) }))}
          onChange={setLanguage}
        />
      </div>
      <Ticket
        className="ticket-link"
        stub={
          ticket && (
            <div className="ticket-link-stub">
              <div>
                <TicketHero span={ticket.hero} label={ticket.heroLabel} />
              </div>
              <p>
                <Price
                  {...ticket.price}
                  text={price === 0 ? ticket.price.text : catalog("from", { price: ticket.price.text })}
                />
                {ticket.perDay && <span className="figures block text-13 text-quiet">{ticket.perDay}</span>}
              </p>
            </div>
          )
        }
      >
        <div className="ticket-link-body">
          {hash && <Emblem key={hash} src={imagePath(hash)} size={112} />}
          <div>
            <h3 lang={HTML_LANG[own ? language : "en"]}>{texts.name || t("field.name")}</h3>
            <div className="ticket-link-lines">
              <span>{line.vendor}</span>
              <span lang={HTML_LANG[own ? language : "en"]}>{texts.tagline}</span>
            </div>
          </div>
        </div>
      </Ticket>
      {!own && <p className="text-13 text-quiet">{t("verdict.english")}</p>}
    </section>
  );
}
