import { useTranslations } from "next-intl";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { JsonLd } from "@/components/ui/json-ld";
import { Page } from "@/components/ui/page";
import type { Surface } from "@/lib/platform/routing/paths";
import { PlanProvider } from "./plan-choice";
import { DesktopProduct } from "./product-desktop";
import { MobileProduct } from "./product-mobile";
import { type ProductParts, useTextLang } from "./product-parts";
import { usePlanOffers } from "./use-plan-offers";

export type ProductView = ProductParts & {
  surface: Surface;
  /** `?plan=` of the URL. A value that is not a plan of this product is ignored. */
  plan?: string;
  jsonLd: unknown;
};

/** The product page: summary, plans as a row of tickets, facts about the selected plan, one button, then the rest. */
export function ProductScreen({ surface, plan, jsonLd, ...parts }: ProductView) {
  const { product } = parts;
  const chosen = product.vip_options.find(({ vip_id }) => String(vip_id) === plan);
  const desktop = surface === "desktop";
  return (
    <Page
      className={desktop ? undefined : "pt-1! pb-0!"}
      above={desktop && <ProductPath product={product} />}
    >
      <JsonLd of={jsonLd} />
      <PlanProvider offers={usePlanOffers(product)} initial={chosen?.vip_id ?? product.vip_id}>
        {desktop ? <DesktopProduct {...parts} /> : <MobileProduct {...parts} />}
      </PlanProvider>
    </Page>
  );
}

function ProductPath({ product }: Pick<ProductParts, "product">) {
  const t = useTranslations("catalog.product");
  const lang = useTextLang(product);
  return (
    <Breadcrumb
      label={t("path")}
      items={[
        { text: t("home"), href: "/" },
        { text: product.product_name, lang },
      ]}
    />
  );
}
