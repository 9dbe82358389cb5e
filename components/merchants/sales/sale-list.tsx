"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill, type Tone } from "@/components/console/pill";
import { ShortDate, ShortTime } from "@/components/console/time";
import { FileButton } from "@/components/merchants/portal/file-button";
import { useSurface } from "@/components/ui/surface";
import { SALE_STATES } from "@/lib/merchants/rules";
import type { MerchantSale, MerchantSaleList, SaleTotals } from "@/lib/merchants/sales/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";

type Props = {
  /** of the page */
  path: string;
  title?: string;
  list: MerchantSaleList;
  values: FilterValues;
  /** the merchant whose member may have them as a file */
  handle?: string;
  /** links to the other parts of the page */
  tools?: ReactNode;
};

const TONES: Record<MerchantSale["state"], Tone> = { sold: "good", reduced: "warn", refunded: "bad" };

/** A merchant's sales, the newest first, with the sums of what the filters show. */
export function MerchantSales({ path, title, handle, list, values, tools }: Props) {
  const t = useTranslations("console.merchant_sales");
  const { locale } = useSurface();
  const filters: Filter[] = [
    {
      name: "state",
      label: t("state"),
      kind: "choice",
      first: true,
      options: SALE_STATES.map((value) => ({ value, label: t(`states.${value}`) })),
    },
    { name: "from", label: t("from"), kind: "date", first: true },
    { name: "to", label: t("to"), kind: "date", first: true },
    { name: "product_id", label: t("product_id"), kind: "number" },
    { name: "vip_id", label: t("vip_id"), kind: "number" },
  ];
  const columns = useMemo(() => saleColumns(t, locale, path), [t, locale, path]);
  return (
    <>
      <ListScreen
        name="merchant-sales"
        path={path}
        title={title ?? t("title")}
        {...(handle !== undefined && { lead: t("lead") })}
        list={list}
        values={values}
        filters={filters}
        columns={columns}
        rowId={({ sale_id }) => sale_id}
        rowName={({ product_name, buyer }) => `${product_name}, ${buyer}`}
        empty={t("empty")}
        tools={
          handle === undefined ? (
            tools
          ) : (
            <FileButton handle={handle} call="/merchant/sales.csv" file="sales.csv" values={values} />
          )
        }
      />
      {list.totals.sales > 0 && <Totals totals={list.totals} locale={locale} />}
    </>
  );
}

type Texts = ReturnType<typeof useTranslations<"console.merchant_sales">>;

const saleColumns = (t: Texts, locale: Locale, path: string): Column<MerchantSale>[] => {
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  return [
    {
      id: "sold",
      header: t("sold"),
      oneLine: true,
      cell: ({ sold_at, buyer }) => (
        <>
          <ShortTime at={sold_at} />
          <span className="block text-13 text-quiet">{buyer}</span>
        </>
      ),
    },
    {
      id: "pass",
      header: t("pass"),
      main: true,
      cell: ({ vip_id, product_name, vip_type, units }) => (
        <div className="min-[900px]:min-w-40">
          <ConsoleLink href={`${path}?vip_id=${vip_id}`} className="text-link wrap-anywhere">
            {product_name}
          </ConsoleLink>
          <span className="block text-13 text-quiet">
            {vip_type} × {units}
          </span>
        </div>
      ),
    },
    { id: "price", header: t("price"), align: "end", cell: ({ price }) => usd(price) },
    {
      id: "discount",
      header: t("discount"),
      align: "end",
      cell: ({ discount, discount_by }) =>
        discount_by === null ? (
          "–"
        ) : (
          <>
            {usd(discount)}
            <span className="block text-13 text-quiet">{t(`paid_by.${discount_by}`)}</span>
          </>
        ),
    },
    {
      id: "commission",
      header: t("commission"),
      align: "end",
      cell: ({ commission, commission_back }) => (
        <Amount
          amount={usd(commission)}
          back={commission_back > 0 ? t("back", { amount: usd(commission_back) }) : ""}
        />
      ),
    },
    {
      id: "net",
      header: t("net"),
      align: "end",
      cell: ({ net, net_back }) => (
        <Amount amount={usd(net)} back={net_back > 0 ? t("back", { amount: usd(net_back) }) : ""} />
      ),
    },
    { id: "payable", header: t("payable"), align: "end", cell: ({ payable }) => usd(payable) },
    {
      id: "payable_on",
      header: t("payable_on"),
      oneLine: true,
      cell: ({ payable_on }) => <ShortDate at={payable_on} />,
    },
    {
      id: "state",
      header: t("state"),
      cell: ({ state }) => <Pill tone={TONES[state]}>{t(`states.${state}`)}</Pill>,
    },
  ];
};

/** An amount, and what refunds took back of it. */
function Amount({ amount, back }: { amount: string; back: string }) {
  return (
    <>
      {amount}
      {back && <span className="block text-13 text-quiet">{back}</span>}
    </>
  );
}

function Totals({ totals, locale }: { totals: SaleTotals; locale: Locale }) {
  const t = useTranslations("console.merchant_sales");
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const whole = new Intl.NumberFormat(locale);
  const rows = [
    [t("units"), whole.format(totals.units)],
    [t("price"), usd(totals.price)],
    [t("discount"), usd(totals.discount)],
    [t("commission"), usd(totals.commission)],
    [t("net"), usd(totals.net)],
    [t("refunded"), usd(totals.refunded)],
    [t("payable"), usd(totals.payable)],
  ] as const;
  return (
    <section aria-labelledby="totals" className="mt-4 border-t border-hairline pt-4">
      <h2 id="totals" className="text-17 font-semibold">
        {totals.exact ? t("totals") : t("totals_of", { count: whole.format(totals.sales) })}
      </h2>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-6 gap-y-3 pt-3">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt className="text-13 text-quiet">{name}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
