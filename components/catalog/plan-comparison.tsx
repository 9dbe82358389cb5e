import { useLocale, useTranslations } from "next-intl";
import { Price } from "@/components/ui/price";
import type { ProductDetail, VipOption } from "@/lib/catalog/contract";
import { refundSentence } from "@/lib/payments/rules-refund-words";
import { usePassWords } from "./use-pass-words";

/** All plans beside each other with what they cost, and what one gets back: readable without any script. */
export function PlanComparison({ product }: { product: ProductDetail }) {
  const t = useTranslations("catalog.product");
  const refund = useTranslations("payments.refund");
  const locale = useLocale();
  const words = usePassWords();
  const stock = useStockWord();
  return (
    <section aria-labelledby="compare" className="@container">
      <h2 id="compare" className="pb-3 text-21">
        {t("compare")}
      </h2>
      <table className="w-full text-left @max-[40rem]:block">
        <thead className="text-13 text-quiet @max-[40rem]:sr-only">
          <tr>
            {(["pass", "price", "per_day", "refund", "stock"] as const).map((column) => (
              <th key={column} scope="col" className="pr-6 pb-2 font-normal">
                {t(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="@max-[40rem]:block">
          {product.vip_options.map((plan) => (
            <tr
              key={plan.vip_id}
              className="border-t border-hairline align-baseline @max-[40rem]:grid @max-[40rem]:grid-cols-[1fr_auto] @max-[40rem]:gap-x-4 @max-[40rem]:py-3 [&>*]:pr-6 @min-[40rem]:[&>*]:py-3 @max-[40rem]:[&>*]:pr-0"
            >
              <th scope="row" className="font-medium">
                {words.name(plan)}
              </th>
              <td className="@max-[40rem]:text-right">
                <Price {...words.price(plan)} />
              </td>
              <td className="figures text-quiet @max-[40rem]:col-start-2 @max-[40rem]:row-start-2 @max-[40rem]:text-right @max-[40rem]:text-13">
                {words.perDay(plan) ?? t("none")}
              </td>
              <td className="text-quiet @max-[40rem]:col-start-1 @max-[40rem]:row-start-2 @max-[40rem]:text-13">
                {refundSentence(refund, plan.refund, locale)}
              </td>
              <td className="whitespace-nowrap text-quiet @max-[40rem]:col-start-1 @max-[40rem]:text-13">
                {stock(plan)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function useStockWord() {
  const t = useTranslations("catalog");
  return ({ stock_state, stock }: VipOption): string => {
    if (stock_state === "low") return t("stock.left", { count: stock });
    return stock_state === "in_stock" ? t("product.in_stock_short") : t(`stock.${stock_state}`);
  };
}
