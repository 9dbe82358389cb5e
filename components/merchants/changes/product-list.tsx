"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { columnsOf } from "@/components/console/list/columns";
import { type ListData, ListScreen } from "@/components/console/list/list-screen";
import type { Tone } from "@/components/console/pill";
import type { Option } from "@/components/ui/select";
import type { MerchantProductRow } from "@/lib/merchants/changes/contract";

export const PRODUCT_TONES: Record<MerchantProductRow["state"], Tone> = {
  sold: "good",
  unlisted: "plain",
  blocked: "bad",
};

type Props = ListData<MerchantProductRow> & {
  /** the merchant's console: `/merchant/{handle}` */
  home: string;
  categories: readonly Option[];
  mayWrite: boolean;
};

const column = columnsOf<MerchantProductRow>();

/** A merchant's products. */
export function MerchantProducts({ home, categories, mayWrite, ...data }: Props) {
  const t = useTranslations("console.merchant_changes");
  const hrefOf = ({ product_id }: MerchantProductRow) => `${data.path}/${product_id}`;
  return (
    <ListScreen
      {...data}
      title={t("products")}
      lead={t("products_lead")}
      empty={t("products_empty")}
      rowId={({ product_id }) => String(product_id)}
      rowName={({ product_name }) => product_name}
      href={hrefOf}
      texts={{ main: "name", options: { category: categories } }}
      views={[
        { id: "all", label: t("all"), filters: {} },
        { id: "no_stock", label: t("no_stock"), filters: { no_stock: "true" } },
        { id: "untranslated", label: t("untranslated"), filters: { untranslated: "true" } },
      ]}
      columns={[
        column.link("name", t("name"), (row) => ({ text: row.product_name, href: hrefOf(row) }), {
          main: true,
        }),
        column.state(
          "state",
          t("state"),
          ({ state, untranslated, shop_change }) => [
            { text: t(`product_states.${state}`), tone: PRODUCT_TONES[state] },
            shop_change && { text: t("shop_mark"), tone: "warn" },
            untranslated.length > 0 && {
              text: t("lacks", { languages: untranslated.join(", ") }),
              tone: "warn",
            },
          ],
          { width: 240 },
        ),
        column.count("plans", t("plans"), ({ plans }) => plans, { width: 72 }),
        column.money("price", t("price_from"), ({ price_from }) => price_from),
        column.text(
          "stock",
          t("stock"),
          ({ stock, stock_exact }) => t("codes", { count: stock, more: stock_exact ? "no" : "yes" }),
          { width: 104, end: true, card: "sub" },
        ),
        column.link(
          "change",
          t("open_change"),
          ({ open_change: open }) =>
            open && { text: t(`states.${open.state}`), href: `${home}/changes/${open.change_id}` },
          { width: 132 },
        ),
        column.link(
          "shop_change",
          t("shop_mark"),
          ({ shop_change: change }) =>
            change && { text: t("to_change"), href: `${home}/changes/${change.change_id}` },
          { panel: true },
        ),
        column.time("updated", t("changed"), ({ updated_at }) => updated_at),
      ]}
      tools={
        mayWrite && (
          <ConsoleLink href={`${data.path}/new`} className="button button-primary">
            {t("new")}
          </ConsoleLink>
        )
      }
    />
  );
}
