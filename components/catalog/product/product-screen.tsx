import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useCompareLabels } from "@/components/catalog/compare/compare-labels";
import { ComparePass } from "@/components/catalog/compare/compare-pass";
import { EnglishOnly } from "@/components/catalog/english-only";
import { ProductTickets } from "@/components/catalog/listing/product-ticket";
import { useRecentLabels } from "@/components/catalog/recent/recent-labels";
import { RecentSection } from "@/components/catalog/recent/recent-section";
import { SaveProduct } from "@/components/notifications/wishlist/save-product";
import { useWishLabels } from "@/components/notifications/wishlist/wish-labels";
import { RatingLine, Reviews } from "@/components/reviews/review-list";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Emblem } from "@/components/ui/emblem";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import { StickyBar } from "@/components/ui/sticky-bar";
import type { ProductDetail, ProductItem } from "@/lib/catalog/contract";
import { foreignLanguage } from "@/lib/catalog/translation/rules";
import type { SellerFigures } from "@/lib/merchants/seller/contract";
import type { Surface } from "@/lib/platform/routing/paths";
import type { ReviewList } from "@/lib/reviews/contract";
import { Activation } from "./activation-card";
import { ChosenPrice, ShareLink } from "./buy-box";
import { PlanComparison, PlanFacts, PlanPicker, PlanProvider } from "./plan-choice";
import { CheckList, Paragraphs } from "./text-blocks";
import { usePlanOffers } from "./use-plan-offers";

type ProductView = ProductParts & {
  surface: Surface;
  /** `?plan=` of the URL. A value that is not a plan of this product is ignored. */
  plan?: string;
  jsonLd: unknown;
  /** what prices say of a tax; null: the shop claims none */
  tax: "included_unknown" | "added_unknown" | null;
};

/**
 * The product page: what it is, the buying panel, the rest. On desktops the panel stands beside both and starts at the title's
 * height; on phones price and button are a bar that stays in sight.
 */
export function ProductScreen({ surface, plan, jsonLd, tax, ...parts }: ProductView) {
  const taxText = useTranslations("orders.tax");
  const { product, reviews, related, buyButton } = parts;
  const { lang } = useTextLang(product);
  const chosen = product.vip_options.find(({ vip_id }) => String(vip_id) === plan);
  const desktop = surface === "desktop";
  const buying = (
    <>
      <ChosenPrice tax={tax ? taxText(tax) : undefined} />
      <div className={desktop ? "min-w-0 flex-1" : "flex-[1_0_auto]"}>{buyButton}</div>
    </>
  );
  return (
    <Page
      jsonLd={jsonLd}
      className={desktop ? undefined : "pt-1! pb-0!"}
      above={desktop && <ProductPath product={product} />}
    >
      <PlanProvider offers={usePlanOffers(product)} initial={chosen?.vip_id ?? product.vip_id}>
        <div className={desktop ? "product product-wide" : "product"}>
          <Head product={product} reviews={reviews} size={desktop ? 160 : 96} />
          <Panel {...parts}>{desktop && buying}</Panel>
          <div className="flex min-w-0 flex-col gap-10">
            <About product={product} />
            <Activation product={product} lang={lang} />
            <ProductRows product={product} />
          </div>
        </div>
        <div className="flex flex-col gap-12 pt-12">
          <PlanComparison labels={useComparisonLabels()} />
          <Reviews productId={product.product_id} reviews={reviews} />
          <Related items={related} />
        </div>
        <Recent product={product} />
        {!desktop && <StickyBar>{buying}</StickyBar>}
      </PlanProvider>
    </Page>
  );
}

function ProductPath({ product }: Pick<ProductParts, "product">) {
  const t = useTranslations("catalog.product");
  const { textLang } = useTextLang(product);
  return (
    <Breadcrumb
      label={t("path")}
      items={[
        { text: t("home"), href: "/" },
        { text: product.category_name, href: `/category/${product.category}` },
        { text: product.product_name, lang: textLang(product.product_name) },
      ]}
    />
  );
}

function Head({ product, reviews, size }: Pick<ProductParts, "product" | "reviews"> & { size: number }) {
  const { textLang } = useTextLang(product);
  return (
    <header>
      <Emblem src={product.product_image} size={size} priority className="rounded-ticket" />
      <div>
        <h1 lang={textLang(product.product_name)}>{product.product_name}</h1>
        <div className="flex flex-wrap items-center gap-x-3">
          <VendorLink product={product} />
          <EnglishOnly of={product} />
          <RatingLine summary={reviews.summary} />
        </div>
      </div>
      <p className="text-17 text-quiet" lang={textLang(product.product_tagline)}>
        {product.product_tagline}
      </p>
    </header>
  );
}

/** The buying panel. `children` are price and button, unless they are in a separate bar. */
function Panel({ product, figures, children }: ProductParts & { children: ReactNode }) {
  const t = useTranslations("catalog.product");
  const { lang } = useTextLang(product);
  return (
    <div className="flex flex-col gap-5">
      <PlanPicker legend={t("choose")} />
      {children}
      <PlanFacts label={t("facts")} extra={t("plan_includes")} lang={lang} seller={useSellerLine(figures)} />
      <Includes product={product} />
      <div className="-mx-3 flex flex-wrap">
        <Save product={product} />
        <ShareLink
          slug={product.slug}
          name={product.product_name}
          defaultPlanId={product.vip_id}
          labels={useShareLabels()}
        />
        <ComparePass name={product.product_name} labels={useCompareLabels()} />
      </div>
      <PlanLink product={product} />
      <Link
        href={`/report?product=${product.slug}`}
        className="-mt-3 inline-flex min-h-11 items-center self-start text-13 text-quiet underline"
      >
        {t("report")}
      </Link>
    </div>
  );
}

/** "96% of 30 codes worked · answers within an hour"; undefined with too few figures. */
function useSellerLine({ worked, answer_hours: hours }: SellerFigures): string | undefined {
  const t = useTranslations("catalog.product");
  const parts = [worked && t("seller_worked", worked), hours !== null && t("seller_answers", { hours })];
  return parts.filter(Boolean).join(" · ") || undefined;
}

type ProductParts = {
  product: ProductDetail;
  reviews: ReviewList;
  related: readonly ProductItem[];
  /** Passed by the page, because it belongs to the cart. */
  buyButton: ReactNode;
  /** the figures of the seller's codes and answers */
  figures: SellerFigures;
};

/** The language of the product's texts, where it differs from the page's, and that of its name or tagline. */
const useTextLang = ({ language }: ProductDetail) => {
  const locale = useLocale();
  return {
    lang: language === locale ? undefined : language,
    textLang: (text: string) => foreignLanguage(text, language, locale),
  };
};

function useShareLabels() {
  const t = useTranslations("catalog.product");
  return { copy: t("copy_link"), copied: t("link_copied"), failed: t("link_failed"), share: t("share") };
}

const COLUMNS = ["pass", "price", "per_day", "stock"] as const;

/** The columns are pass, price, price per day and stock. `none` is shown when there is no price per day. */
function useComparisonLabels() {
  const t = useTranslations("catalog.product");
  return { title: t("compare"), columns: COLUMNS.map((column) => t(column)), none: t("none") };
}

export type ComparisonLabels = ReturnType<typeof useComparisonLabels>;

function ProductRows({ product }: { product: ProductDetail }) {
  const t = useTranslations("catalog.product");
  return (
    <DefinitionRows
      rows={[
        {
          term: t("category"),
          value: (
            <Link href={`/category/${product.category}`} className="text-link">
              {product.category_name}
            </Link>
          ),
        },
        { term: t("delivery"), value: t("delivery_value") },
        {
          term: t("sold_by"),
          value: (
            <>
              <Link href={`/seller/${product.seller.handle}#trader`} className="text-link">
                {product.seller.name}
              </Link>
              {product.seller.legal_name && (
                <small className="block">
                  {[product.seller.legal_name, product.seller.city].filter(Boolean).join(", ")}
                </small>
              )}
            </>
          ),
        },
      ]}
    />
  );
}

function VendorLink({ product }: { product: ProductDetail }) {
  return (
    <Link href={`/vendor/${product.vendor_slug}`} className="text-link inline-flex min-h-11 items-center">
      {product.maker}
    </Link>
  );
}

function PlanLink({ product: { slug } }: { product: ProductDetail }) {
  const t = useTranslations("agents.plan");
  return (
    <Link href={`/plan?product=${slug}&days=9`} rel="nofollow" className="text-link self-start">
      {t("product_link")}
    </Link>
  );
}

function Save({ product }: { product: ProductDetail }) {
  return (
    <SaveProduct
      productId={product.product_id}
      name={product.product_name}
      labels={useWishLabels()}
      icon={<Icon name="heart" />}
    />
  );
}

/** The products viewed before this one, in this browser. */
function Recent({ product }: { product: ProductDetail }) {
  const { slug, product_image: image, maker, product_name: name } = product;
  const locale = useLocale();
  const language = useTextLang(product).textLang(name) ?? locale;
  return (
    <RecentSection labels={useRecentLabels()} current={{ slug, image, maker, names: { [language]: name } }} />
  );
}

function Includes({ product }: { product: ProductDetail }) {
  const t = useTranslations("catalog.product");
  const { lang } = useTextLang(product);
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

function About({ product }: { product: ProductDetail }) {
  const t = useTranslations("catalog.product");
  const { lang } = useTextLang(product);
  return (
    <section aria-labelledby="about" className="max-w-text">
      <h2 id="about" className="pb-3 text-21">
        {t("about", { name: product.product_name })}
      </h2>
      <Paragraphs texts={product.product_description.split(/\n{2,}/)} lang={lang} />
    </section>
  );
}

function Related({ items }: { items: readonly ProductItem[] }) {
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
