import { useLocale, useTranslations } from "next-intl";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Icon } from "@/components/ui/icon";
import type { ProductDetail, ProductItem } from "@/lib/catalog/contract";
import type { BuyWords } from "./buy-box";
import { ProductTickets } from "./product-ticket";
import { usePassWords } from "./use-pass-words";

/** The language of the product's texts, where it is not the page's. */
export const useTextLang = (product: ProductDetail) => {
  const locale = useLocale();
  return product.language === locale ? undefined : product.language;
};

/** The words of the parts that live in the browser. */
export function useBuyWords(): BuyWords {
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
    ask: t("notify"),
    asked: t("notify_done"),
  };
}

/** Who makes it, what it is, how it comes. */
export function ProductRows({ product }: { product: ProductDetail }) {
  const t = useTranslations("catalog.product");
  return (
    <DefinitionRows
      rows={[
        { term: t("maker"), value: product.maker },
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
      <ul className="flex flex-col gap-2" lang={lang}>
        {product.includes.map((item) => (
          <li key={item} className="flex gap-2.5">
            <Icon name="check" className="mt-0.5 text-good" />
            {item}
          </li>
        ))}
      </ul>
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
      <div className="flex flex-col gap-3" lang={useTextLang(product)}>
        {product.product_description.split(/\n{2,}/).map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </section>
  );
}

/** Without any script the passes are links to the page that opens with each of them. */
export function WithoutScript({ product }: { product: ProductDetail }) {
  const t = useTranslations("catalog.product");
  const words = usePassWords();
  return (
    <noscript>
      <p className="text-13 text-quiet">{t("no_script")}</p>
      <ul className="flex flex-wrap gap-x-4">
        {product.vip_options.map((plan) => (
          <li key={plan.vip_id}>
            <a href={`?plan=${plan.vip_id}`} rel="nofollow" className="text-link flex min-h-11 items-center">
              {words.name(plan)}
            </a>
          </li>
        ))}
      </ul>
    </noscript>
  );
}

/** Others of the same category. */
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
