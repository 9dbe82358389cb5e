import { useFormatter, useLocale, useTranslations } from "next-intl";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Link } from "@/components/ui/link";
import { Stars } from "@/components/ui/stars";
import type { Seller, Trader } from "@/lib/merchants/seller/contract";

const HOURS_SHOWN = 48;

/** What is known about a merchant, as rows; a figure that says nothing yet is left out. */
export function SellerFacts({ seller }: { seller: Seller }) {
  const t = useTranslations("merchants.seller");
  const reviews = useTranslations("reviews");
  const format = useFormatter();
  const locale = useLocale();
  const { since, rating, worked, answer_hours: hours, country, website, closed_until: closed } = seller;
  return (
    <section aria-label={t("facts", { name: seller.name })} className="max-w-[34rem] pt-4">
      <DefinitionRows
        rows={[
          closed !== null && {
            term: t("closed"),
            value: t("closed_value", { day: format.dateTime(new Date(closed), { dateStyle: "long" }) }),
          },
          rating !== null && {
            term: t("rating"),
            value: (
              <span className="inline-flex flex-wrap items-center justify-end gap-x-2">
                <Stars rating={rating.average} label={reviews("rating", { rating: rating.average })} />
                <span>{reviews("count", { count: rating.count })}</span>
                {rating.demo && <span className="text-13 text-quiet">{reviews("demo_part")}</span>}
              </span>
            ),
          },
          worked !== null && {
            term: t("worked"),
            value: t("worked_value", {
              share: format.number(worked.percent / 100, { style: "percent" }),
              units: worked.units,
            }),
          },
          hours !== null && {
            term: t("answers"),
            value:
              hours <= HOURS_SHOWN
                ? t("hours", { count: hours })
                : t("days", { count: Math.ceil(hours / 24) }),
          },
          {
            term: t("since"),
            value: format.dateTime(new Date(since), { year: "numeric", month: "long" }),
          },
          country !== null && {
            term: t("country"),
            value: new Intl.DisplayNames([locale], { type: "region" }).of(country) ?? country,
          },
          website !== null && {
            term: t("website"),
            value: (
              <a href={website} rel="nofollow noopener" className="text-link break-all">
                {new URL(website).host.replace(/^www\./, "")}
              </a>
            ),
          },
        ]}
      />
      <Link
        href={`/report?seller=${seller.handle}`}
        className="inline-flex min-h-11 items-center text-13 text-quiet underline"
      >
        {t("report")}
      </Link>
      {seller.trader && <TraderFacts trader={seller.trader} name={seller.name} />}
    </section>
  );
}

/** The legal identity of the merchant, to which product pages link. */
function TraderFacts({ trader, name }: { trader: Trader; name: string }) {
  const t = useTranslations("merchants.trade");
  const row = (term: string, value: string | null) => value !== null && { term, value };
  return (
    <div id="trader" className="scroll-mt-24 pt-5">
      <h2 className="pb-1 text-17 font-semibold">{t("title")}</h2>
      <DefinitionRows
        rows={[
          row(t("legal_name"), trader.legal_name),
          trader.address.length > 0 && {
            term: t("address"),
            value: trader.address.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            )),
          },
          row(t("representative"), trader.representative),
          row(t("register"), trader.register),
          row(t("vat"), trader.vat_id),
          row(t("phone"), trader.phone),
          trader.email !== null && {
            term: t("email"),
            value: (
              <a href={`mailto:${trader.email}`} className="text-link break-all">
                {trader.email}
              </a>
            ),
          },
        ]}
      />
      {trader.certified && <p className="pt-2 text-13 text-quiet">{t("certified", { name })}</p>}
    </div>
  );
}
