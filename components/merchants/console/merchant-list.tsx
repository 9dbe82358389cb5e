"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import { MERCHANT_TONES } from "@/components/merchants/console/merchant-tones";
import { StaffList } from "@/components/staff/staff-list";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleMerchant, ConsoleMerchantList } from "@/lib/merchants/console/contract-merchants";
import type { StaffListData } from "@/lib/staff/lists/contract";

/** A share in per cent; a dash without sales. */
export const percentText = (share: number | null, locale: string): string =>
  share === null ? "–" : share.toLocaleString(locale, { style: "percent", maximumFractionDigits: 1 });

type State = ConsoleMerchant["state"];
const column = columnsOf<ConsoleMerchant>();
const hrefOf = ({ merchant_id }: ConsoleMerchant) => `/console/merchants/${merchant_id}`;

/** The merchants, the newest first or by name. */
export function ConsoleMerchants(data: StaffListData<ConsoleMerchantList>) {
  const t = useTranslations("console.merchants");
  const stateName = useTranslations("console.merchant.state");
  const { locale } = useSurface();
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        empty: t("empty"),
        rowId: ({ merchant_id }) => merchant_id,
        rowName: ({ name }) => name,
        href: hrefOf,
        texts: { main: "name", values: { state: (value) => stateName(value as State) } },
        views: [
          { id: "all", label: t("all"), filters: {} },
          ...(["active", "invited", "paused", "suspended"] as const).map((state) => ({
            id: state,
            label: stateName(state),
            filters: { state },
          })),
          { id: "renamed", label: t("name_asked"), filters: { renamed: "true" } },
        ],
        columns: [
          column.link("name", t("name"), (row) => ({ text: row.name, href: hrefOf(row) }), { main: true }),
          column.text("handle", t("handle"), ({ handle }) => handle, { card: "sub" }),
          column.state(
            "state",
            t("state"),
            ({ state, trust, renamed, discounts }) => [
              { text: stateName(state), tone: MERCHANT_TONES[state] },
              trust === "trusted" && { text: t("trusted"), tone: "good" },
              renamed && { text: t("name_asked"), tone: "warn" },
              discounts !== null &&
                discounts.high_since !== null &&
                !discounts.looked_at && { text: t("high_discounts"), tone: "warn" },
            ],
            { width: 190 },
          ),
          column.text("members", t("members"), ({ members }) => members || t("by_staff"), { width: 96 }),
          column.count("products", t("products"), ({ products }) => products, {
            exact: (row) => row.products_exact,
          }),
          column.count("sales", t("sales_30"), ({ sales }) => sales, {
            exact: (row) => row.sales_exact,
            width: 116,
          }),
          column.text(
            "discounts",
            t("shop_paid_share"),
            ({ discounts }) => percentText(discounts?.share ?? null, locale),
            { width: 116, end: true, minor: true },
          ),
          column.time("created", t("created"), ({ created_at }) => created_at),
        ],
      }}
    />
  );
}
