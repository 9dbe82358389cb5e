"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { columnsOf } from "@/components/console/list/columns";
import { type ListData, ListScreen } from "@/components/console/list/list-screen";
import type { Tone } from "@/components/console/pill";
import { FileButton } from "@/components/merchants/portal/file-button";
import { useSurface } from "@/components/ui/surface";
import type { MerchantSale, MerchantSaleList, SaleTotals } from "@/lib/merchants/sales/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";

type Props = Omit<ListData<MerchantSale>, "list"> & {
  list: MerchantSaleList;
  title?: string;
  /** the merchant whose member may have them as a file */
  handle?: string;
  /** links to the other parts of the page */
  tools?: ReactNode;
};

const TONES: Record<MerchantSale["state"], Tone> = { sold: "good", reduced: "warn", refunded: "bad" };
const column = columnsOf<MerchantSale>();

/** A merchant's sales, the newest first, with the sums of what the filters show. */
export function MerchantSales({ title, handle, tools, ...data }: Props) {
  const t = useTranslations("console.merchant_sales");
  const { locale } = useSurface();
  const stateName = (state: string) => t(`states.${state as MerchantSale["state"]}`);
  const { path, list, values } = data;
  return (
    <ListScreen
      {...data}
      title={title ?? t("title")}
      {...(handle !== undefined && { lead: t("lead") })}
      empty={t("empty")}
      rowId={({ sale_id }) => sale_id}
      rowName={({ product_name, buyer }) => `${product_name}, ${buyer}`}
      texts={{ values: { state: stateName } }}
      views={[
        { id: "all", label: t("all"), filters: {} },
        { id: "month", label: t("this_month"), filters: { days: "this_month" } },
        { id: "last_month", label: t("last_month"), filters: { days: "last_month" } },
        { id: "refunded", label: stateName("refunded"), filters: { state: "refunded" } },
      ]}
      columns={[
        column.link(
          "pass",
          t("pass"),
          ({ vip_id, product_name, vip_type, units }) => ({
            text: `${product_name} · ${vip_type}${units > 1 ? ` × ${units}` : ""}`,
            href: `${path}?vip_id=${vip_id}`,
          }),
          { main: true },
        ),
        column.time("sold", t("sold"), ({ sold_at }) => sold_at),
        column.text("buyer", t("buyer"), ({ buyer }) => buyer, { width: 104, card: "sub" }),
        column.money("price", t("price"), ({ price }) => price, { width: 84, card: undefined }),
        column.money("discount", t("discount"), (row) => (row.discount_by === null ? null : row.discount), {
          panel: true,
          end: false,
        }),
        column.text(
          "paid_by",
          t("discount_by"),
          (row) => row.discount_by && t(`paid_by.${row.discount_by}`),
          {
            panel: true,
          },
        ),
        column.money("tax", t("tax"), ({ tax }) => tax || null, { panel: true, end: false }),
        column.money("commission", t("commission"), ({ commission }) => commission, {
          width: 100,
          card: undefined,
        }),
        column.money("net", t("net"), ({ net }) => net, { width: 84 }),
        column.money("back", t("taken_back"), ({ net_back }) => net_back || null, {
          panel: true,
          end: false,
        }),
        column.money("commission_back", t("commission_back"), (row) => row.commission_back || null, {
          panel: true,
          end: false,
        }),
        column.money("payable", t("payable"), ({ payable }) => payable, { width: 84, card: undefined }),
        column.date("payable_on", t("payable_on"), ({ payable_on }) => payable_on),
        column.state("state", t("state"), ({ state }) => ({ text: stateName(state), tone: TONES[state] }), {
          width: 120,
        }),
      ]}
      exportButton={
        handle !== undefined && (
          <FileButton handle={handle} call="/merchant/sales.csv" file="sales.csv" values={values} />
        )
      }
      tools={tools}
      totals={list.totals.sales > 0 && <Totals totals={list.totals} locale={locale} />}
    />
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
