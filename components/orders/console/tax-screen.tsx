"use client";

import { useLocale, useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { NOTHING } from "@/components/console/list/columns";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { Facts, RecordTable } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import type { TaxLedger } from "@/lib/orders/console/contract-taxes";
import { quartersAround } from "@/lib/orders/console/rules-quarters";
import { HTML_LANG } from "@/lib/platform/i18n/locales";
import { formatPrice, toSignedCents } from "@/lib/platform/money";

/** The taxes of a quarter: whether documents and ledger agree, the report, and the newest documents. */
export function TaxScreen({ taxes }: { taxes: TaxLedger }) {
  const t = useTranslations("console.taxes");
  const locale = useLocale();
  const usd = (amount: number) => formatPrice(toSignedCents(amount), locale);
  const regions = new Intl.DisplayNames([HTML_LANG[locale]], { type: "region" });
  const countryOf = (code: string) => regions.of(code) ?? code;
  const percentOf = (percent: number) => `${percent} %`;
  const euros = new Intl.NumberFormat(HTML_LANG[locale], { style: "currency", currency: "EUR" });
  const { quarter, documents_tax, ledger_tax, eur } = taxes;
  return (
    <>
      <ConsoleHeader
        title={t("title")}
        lead={t(taxes.country === null ? "off" : "lead", {
          country: taxes.country === null ? "" : countryOf(taxes.country),
        })}
      />
      <Quarters quarter={quarter} present={taxes.present} />
      <section aria-label={t("sums")} className="pb-6">
        <Facts
          rows={[
            [t("documents"), t("counts", { invoices: taxes.invoices, credit_notes: taxes.credit_notes })],
            [t("documents_tax"), usd(documents_tax)],
            [
              t("ledger_tax"),
              <Pill key="ledger" tone={ledger_tax === documents_tax ? "good" : "bad"}>
                {usd(ledger_tax)}
              </Pill>,
            ],
            [t("conflicts"), String(taxes.conflicts)],
            [t("unchecked"), String(taxes.unchecked)],
            [
              t("eur_rate"),
              eur ? (
                t("eur_of", { rate: eur.rate, day: eur.day })
              ) : (
                <Pill key="eur" tone="warn">
                  {t("eur_missing", { day: taxes.eur_day })}
                </Pill>
              ),
            ],
          ]}
        />
      </section>
      <section className="pb-6">
        <h2 className="pb-2 text-17 font-semibold">{t("report")}</h2>
        <RecordTable
          label={t("report")}
          rows={taxes.report}
          rowId={({ scheme, country, percent, period }) => `${scheme} ${country} ${percent} ${period}`}
          empty={t("empty")}
          columns={[
            { name: t("scheme"), cell: ({ scheme }) => t(`schemes.${scheme}`) },
            { name: t("country"), cell: ({ country }) => countryOf(country) },
            { name: t("rate"), end: true, cell: ({ percent }) => percentOf(percent) },
            {
              name: t("period"),
              cell: ({ period }) => (period === quarter ? period : t("correction", { period })),
            },
            { name: t("net"), end: true, cell: ({ net }) => usd(net) },
            { name: t("tax"), end: true, cell: ({ tax }) => usd(tax) },
            {
              name: t("tax_eur"),
              end: true,
              cell: ({ tax_eur }) => (tax_eur === null ? NOTHING : euros.format(tax_eur)),
            },
          ]}
        />
        <p className="pt-3">
          {eur || taxes.report.every(({ scheme }) => scheme !== "oss") ? (
            <a
              className="button button-secondary"
              href={`/api/v1/admin/taxes/report?quarter=${quarter}`}
              download
            >
              {t("download")}
            </a>
          ) : (
            t("no_report", { day: taxes.eur_day })
          )}
        </p>
      </section>
      <section>
        <h2 className="pb-2 text-17 font-semibold">{t("newest")}</h2>
        <RecordTable
          label={t("newest")}
          rows={taxes.items}
          rowId={({ document_id }) => document_id}
          empty={t("empty")}
          columns={[
            { name: t("number"), cell: ({ number }) => number },
            { name: t("kind"), cell: ({ kind }) => t(`kinds.${kind}`) },
            {
              name: t("order"),
              cell: ({ order_id, order_number }) => (
                <ConsoleLink href={`/console/orders/${order_id}`} className="text-link">
                  {order_number}
                </ConsoleLink>
              ),
            },
            { name: t("country"), cell: ({ country }) => countryOf(country) },
            {
              name: t("rate"),
              end: true,
              cell: ({ treatment, percent }) =>
                treatment === "taxed" ? percentOf(percent) : t(`schemes.${treatment}`),
            },
            { name: t("gross"), end: true, cell: ({ gross }) => usd(gross) },
            { name: t("tax"), end: true, cell: ({ tax }) => usd(tax) },
            { name: t("at"), cell: ({ at }) => <ShortTime at={at} /> },
          ]}
        />
      </section>
    </>
  );
}

/** The shown quarter among those around it. */
function Quarters({ quarter, present }: { quarter: string; present: string }) {
  const t = useTranslations("console.taxes");
  return (
    <nav aria-label={t("quarters")} className="flex flex-wrap gap-x-4 pb-4">
      {quartersAround(quarter, present).map((one) => (
        <ConsoleLink
          key={one}
          href={`/console/taxes?quarter=${one}`}
          aria-current={one === quarter ? "page" : undefined}
          className="hit text-link aria-[current=page]:font-semibold aria-[current=page]:text-ink"
        >
          {one}
        </ConsoleLink>
      ))}
    </nav>
  );
}
