import { useLocale, useTranslations } from "next-intl";
import { ProductTickets } from "@/components/catalog/listing/product-ticket";
import { DefinitionRows } from "@/components/ui/definition-rows";
import type { ProductDetail, ProductItem } from "@/lib/catalog/contract";
import type { ReviewList } from "@/lib/reviews/contract";
import type { BuyLabels } from "./buy-box";
import type { ComparisonLabels } from "./plan-comparison";
import { CheckList, Paragraphs } from "./text-blocks";

/** The props shared by both layouts of the product page. */
export type ProductParts = {
  product: ProductDetail;
  reviews: ReviewList;
  related: readonly ProductItem[];
};

/** The language of the product's text, where it differs from the page's. */
export const useTextLang = (product: ProductDetail) => {
  const locale = useLocale();
  return product.language === locale ? undefined : product.language;
};

/** The labels of the client components. */
export function useBuyLabels(): BuyLabels {
  const t = useTranslations("catalog.product");
  const errors = useTranslations("errors");
  return {
    added: t("added"),
    viewCart: t("view_cart"),
    verify: t("verify_email"),
    library: t("open_library"),
    network: errors("network"),
    copy: t("copy_link"),
    copied: t("link_copied"),
    failed: t("link_failed"),
    share: t("share"),
    notify: t("notify"),
    notified: t("notify_done"),
  };
}

const COLUMNS = ["pass", "price", "per_day", "refund", "stock"] as const;

export function useComparisonLabels(): ComparisonLabels {
  const t = useTranslations("catalog.product");
  return { title: t("compare"), columns: COLUMNS.map((column) => t(column)), none: t("none") };
}

/** The vendor, type and delivery of the product. */
export function ProductRows({ product }: { product: ProductDetail }) {
  const t = useTranslations("catalog.product");
  return (
    <DefinitionRows
      rows={[
        { term: t("vendor"), value: product.maker },
        { term: t("category"), value: product.category_name },
        { term: t("delivery"), value: t("delivery_value") },
      ]}
    />
  );
}

export function Includes({ product }: { product: ProductDetail }) {
  const t = useTranslations("catalog.product");
  const lang = useTextLang(product);
  if (product.includes.length === 0) return null;
  return (
    <section aria-labelledby="includes">
      <h2 id="includes" className="pb-3 text-21">
        {t("includes")}
      </h2>
      <CheckList texts={product.includes} lang={lang} />
    </section>
  );
}

export function About({ product }: { product: ProductDetail }) {
  const t = useTranslations("catalog.product");
  return (
    <section aria-labelledby="about" className="max-w-text">
      <h2 id="about" className="pb-3 text-21">
        {t("about", { name: product.product_name })}
      </h2>
      <Paragraphs texts={product.product_description.split(/\n{2,}/)} lang={useTextLang(product)} />
    </section>
  );
}

/** Other products of the same category. */
export function Related({ items }: { items: readonly ProductItem[] }) {
  const t = useTranslations("catalog.product");
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="related">
      <h2 id="related" className="pb-4 text-21">
        {t("related")}
      </h2>
      <ProductTickets items={items} level="h3" />
    </section>
  );
}
