import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { EnglishOnly } from "@/components/catalog/english-only";
import { countryNames } from "@/components/catalog/product/country-names";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { ButtonLink } from "@/components/ui/button";
import { Emblem } from "@/components/ui/emblem";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import { Price } from "@/components/ui/price";
import type { ComparedPass } from "@/lib/catalog/contract";
import { COMPARED_MAX, comparePath, findLowestPerDay } from "@/lib/catalog/rules";
import { foreignLanguage } from "@/lib/catalog/translation/rules";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import { RemoveFromComparison } from "./remove-from-comparison";

/** Up to four passes side by side. Their numbers are in the address, so the page can be shared. */
export function CompareScreen({ passes }: { passes: readonly ComparedPass[] }) {
  const t = useTranslations("catalog.compare");
  const rows = useRows(passes);
  if (passes.length === 0)
    return (
      <Page title={t("title")}>
        <EmptyState title={t("empty")} action={<ButtonLink href="/top-trending">{t("choose")}</ButtonLink>}>
          {t("empty_text", { max: COMPARED_MAX })}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={t("title")} lead={t("lead")}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable table is reached with the keyboard */}
      <section aria-label={t("title")} tabIndex={0} className="compare-scroll">
        <table className="compare-table">
          <thead>
            <tr>
              <td className="compare-name" />
              {passes.map((pass) => (
                <th key={pass.plan.vip_id} scope="col">
                  <PassHead pass={pass} passes={passes} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, cells }) => (
              <tr key={name}>
                <th scope="row" className="compare-name">
                  {name}
                </th>
                {passes.map(({ plan }, i) => (
                  <td key={plan.vip_id}>{cells[i]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {passes.length < COMPARED_MAX && (
        <p className="pt-6">
          <ButtonLink href="/top-trending">{t("add")}</ButtonLink>
        </p>
      )}
    </Page>
  );
}

function PassHead({ pass, passes }: { pass: ComparedPass; passes: readonly ComparedPass[] }) {
  const t = useTranslations("catalog.compare");
  const locale = useLocale();
  const { product, plan } = pass;
  const others = passes.flatMap(({ plan: { vip_id } }) => (vip_id === plan.vip_id ? [] : [vip_id]));
  return (
    <div className="flex flex-col items-start gap-2">
      <Emblem src={product.product_image} size={72} className="rounded-control" />
      <Link
        href={`/product/${product.slug}?plan=${plan.vip_id}`}
        lang={foreignLanguage(product.product_name, product.language, locale)}
        className="text-17 font-semibold hover:underline"
      >
        {product.product_name}
      </Link>
      <EnglishOnly of={product} />
      <ButtonLink href={`/product/${product.slug}?plan=${plan.vip_id}`}>
        {t("pick")}
        <span className="sr-only"> {product.product_name}</span>
      </ButtonLink>
      <RemoveFromComparison
        planId={plan.vip_id}
        href={comparePath(others)}
        text={t("remove")}
        name={product.product_name}
      />
    </div>
  );
}

type Row = { name: string; cells: ReactNode[] };

function useRows(passes: readonly ComparedPass[]): Row[] {
  const t = useTranslations("catalog.compare");
  const product = useTranslations("catalog.product");
  const stock = useTranslations("catalog.stock");
  const refund = useTranslations("payments.refund");
  const locale = useLocale();
  const labels = usePassLabels();
  const lowest = findLowestPerDay(passes.map(({ plan }) => plan));
  const row = (name: string, cell: (pass: ComparedPass) => ReactNode): Row => ({
    name,
    cells: passes.map(cell),
  });
  return [
    row(product("pass"), ({ plan }) => labels.name(plan)),
    row(product("price"), ({ plan }) => <Price {...labels.ticket(plan).price} />),
    row(product("per_day"), ({ plan }) => {
      const isLowest = lowest.includes(plan);
      return (
        <>
          <span className={isLowest ? "figures font-semibold" : "figures"}>
            {plan.price === 0 ? labels.money(0) : (labels.perDay(plan) ?? product("none"))}
          </span>
          {isLowest && <span className="block text-13 text-good">{t("lowest")}</span>}
        </>
      );
    }),
    row(product("includes"), ({ product: { includes, language }, plan }) => (
      <ul lang={language === locale ? undefined : language} className="flex flex-col gap-1">
        {[...includes, ...plan.includes].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    )),
    row(t("rating"), ({ product: { rating } }) =>
      rating ? t("rated", { average: rating.average, count: rating.count }) : t("unrated"),
    ),
    row(product("refund"), ({ plan }) => refundSentence(refund, plan.refund, locale)),
    row(product("region"), ({ plan: { region } }) =>
      region.includes("worldwide") ? product("region_worldwide") : countryNames(region, locale),
    ),
    row(product("activate"), ({ plan: { activation } }) => (
      <ol className="flex list-decimal flex-col gap-1 pl-4">
        {activation.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    )),
    row(product("stock"), ({ plan: { stock_state, stock: count } }) => {
      if (stock_state === "in_stock") return product("in_stock_short");
      return stock_state === "low" ? stock("left", { count }) : stock(stock_state);
    }),
    row(product("vendor"), ({ product: { maker, vendor_slug } }) => (
      <Link href={`/vendor/${vendor_slug}`} className="text-link">
        {maker}
      </Link>
    )),
  ];
}
