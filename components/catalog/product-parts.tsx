import { useLocale, useTranslations } from "next-intl";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Icon } from "@/components/ui/icon";
import type { ActivationView, ProductDetail, ProductItem } from "@/lib/catalog/contract";
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

/** How a code is used. A pass whose way differs from the others' stands under its own name. */
export function Activation({ product }: { product: ProductDetail }) {
  const t = useTranslations("catalog.product");
  const words = usePassWords();
  const lang = useTextLang(product);
  const guides = new Map<string, { guide: ActivationView; names: string[] }>();
  for (const plan of product.vip_options) {
    const key = JSON.stringify(plan.activation);
    const known = guides.get(key) ?? { guide: plan.activation, names: [] };
    guides.set(key, { ...known, names: [...known.names, words.name(plan)] });
  }
  const shown = [...guides.values()].filter(({ guide }) => guide.steps.length > 0);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="activate">
      <h2 id="activate" className="pb-3 text-21">
        {t("activate")}
      </h2>
      {shown.map(({ guide, names }) => (
        <div key={names[0]} className="pb-5">
          {shown.length > 1 && <h3 className="pb-2 font-medium">{names.join(" · ")}</h3>}
          <Steps guide={guide} lang={lang} />
          {guide.url && (
            <p className="pt-3 text-13 text-quiet">
              {t.rich("redeem", {
                host: new URL(guide.url).host,
                site: (host) => (
                  <a href={guide.url ?? undefined} rel="noopener nofollow" className="text-link">
                    {host}
                  </a>
                ),
              })}
            </p>
          )}
        </div>
      ))}
    </section>
  );
}

function Steps({ guide, lang }: { guide: ActivationView; lang: string | undefined }) {
  return (
    <ol className="flex flex-col gap-3" lang={lang}>
      {guide.steps.map((step, i) => (
        <li key={step} className="flex gap-3">
          <span
            aria-hidden="true"
            className="figures grid size-6 flex-none place-items-center rounded-full border border-control text-13 font-semibold"
          >
            {i + 1}
          </span>
          <span className="min-w-0 [overflow-wrap:anywhere]">{step}</span>
        </li>
      ))}
    </ol>
  );
}

/** Others of the same category. */
export function Related({ items }: { items: readonly ProductItem[] }) {
  const t = useTranslations("catalog.product");
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="related" className="pt-12">
      <h2 id="related" className="pb-4 text-21">
        {t("related")}
      </h2>
      <ProductTickets items={items} level="h3" />
    </section>
  );
}
