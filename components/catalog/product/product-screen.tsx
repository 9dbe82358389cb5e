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
};

/** The product page: summary, plans as a row of tickets, facts about the selected plan, one button, then the rest. */
export function ProductScreen({ surface, plan, jsonLd, ...parts }: ProductView) {
  const { product } = parts;
  const chosen = product.vip_options.find(({ vip_id }) => String(vip_id) === plan);
  const desktop = surface === "desktop";
  return (
    <Page
      jsonLd={jsonLd}
      className={desktop ? undefined : "pt-1! pb-0!"}
      above={desktop && <ProductPath product={product} />}
    >
      <PlanProvider offers={usePlanOffers(product)} initial={chosen?.vip_id ?? product.vip_id}>
        {desktop ? <DesktopProduct {...parts} /> : <MobileProduct {...parts} />}
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

/** The desktop product page: what it is beside the buying panel, which starts at the title's height, then the rest below. */
function DesktopProduct({ product, reviews, related, buyButton, figures }: ProductParts) {
  const t = useTranslations("catalog.product");
  const { lang, textLang } = useTextLang(product);
  const labels = useShareLabels();
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_25rem] items-start gap-14 max-xl:gap-8 max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-10">
          <header className="grid grid-cols-[10rem_minmax(0,1fr)] items-center gap-6">
            <Emblem src={product.product_image} size={160} priority className="rounded-ticket" />
            <div>
              <h1 className="text-40" lang={textLang(product.product_name)}>
                {product.product_name}
              </h1>
              <p className="pt-1 text-17 text-quiet" lang={textLang(product.product_tagline)}>
                {product.product_tagline}
              </p>
              <p className="flex flex-wrap items-center gap-x-3">
                <VendorLink product={product} />
                <EnglishOnly of={product} />
              </p>
              <RatingLine summary={reviews.summary} />
            </div>
          </header>
          <About product={product} />
          <Activation product={product} lang={lang} />
          <ProductRows product={product} />
        </div>
        <div className="flex flex-col gap-5">
          <PlanPicker legend={t("choose")} />
          <ChosenPrice />
          {buyButton}
          <PlanFacts
            label={t("facts")}
            extra={t("plan_includes")}
            lang={lang}
            seller={useSellerLine(figures)}
          />
          <Includes product={product} />
          <div className="-mx-3 flex flex-wrap">
            <Save product={product} />
            <ShareLink
              slug={product.slug}
              name={product.product_name}
              defaultPlanId={product.vip_id}
              labels={labels}
            />
          </div>
          <ComparePass name={product.product_name} labels={useCompareLabels()} />
          <PlanLink product={product} />
        </div>
      </div>
      <div className="pt-12">
        <PlanComparison labels={useComparisonLabels()} />
      </div>
      <div className="pt-12">
        <Reviews productId={product.product_id} reviews={reviews} />
      </div>
      <div className="pt-12">
        <Related items={related} />
      </div>
      <Recent product={product} />
    </>
  );
}

/** "96% of 30 codes worked · answers within an hour"; undefined: too little is known. */
function useSellerLine({ worked, answer_hours: hours }: SellerFigures): string | undefined {
  const t = useTranslations("catalog.product");
  const parts = [worked && t("seller_worked", worked), hours !== null && t("seller_answers", { hours })];
  return parts.filter(Boolean).join(" · ") || undefined;
}

/** The mobile product page: the same parts in one column, with price and button always visible. */
function MobileProduct({ product, reviews, related, buyButton, figures }: ProductParts) {
  const t = useTranslations("catalog.product");
  const { lang, textLang } = useTextLang(product);
  const labels = useShareLabels();
  return (
    <>
      <header className="grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-4">
        <Emblem src={product.product_image} size={96} priority className="rounded-ticket" />
        <div>
          <h1 className="text-28" lang={textLang(product.product_name)}>
            {product.product_name}
          </h1>
          <div className="flex flex-wrap items-center gap-x-3">
            <VendorLink product={product} />
            <EnglishOnly of={product} />
            <RatingLine summary={reviews.summary} />
          </div>
        </div>
      </header>
      <p className="pt-4 pb-5 text-17 text-quiet" lang={textLang(product.product_tagline)}>
        {product.product_tagline}
      </p>
      <PlanPicker legend={t("choose")} />
      <div className="flex flex-col gap-5 pt-5">
        <PlanFacts
          label={t("facts")}
          extra={t("plan_includes")}
          lang={lang}
          seller={useSellerLine(figures)}
        />
        <Includes product={product} />
        <div className="-ml-3 flex flex-wrap items-center gap-x-4">
          <Save product={product} />
          <ComparePass name={product.product_name} labels={useCompareLabels()} />
        </div>
        <PlanLink product={product} />
      </div>
      <div className="flex flex-col gap-10 pt-10 pb-8">
        <About product={product} />
        <Activation product={product} lang={lang} />
        <PlanComparison labels={useComparisonLabels()} />
        <Reviews productId={product.product_id} reviews={reviews} />
        <div>
          <ProductRows product={product} />
          <div className="-ml-3 pt-3">
            <ShareLink
              slug={product.slug}
              name={product.product_name}
              defaultPlanId={product.vip_id}
              labels={labels}
            />
          </div>
        </div>
        <Related items={related} />
        <Recent product={product} />
      </div>
      <StickyBar>
        <ChosenPrice />
        <div className="min-w-0 flex-1">{buyButton}</div>
      </StickyBar>
    </>
  );
}

type ProductParts = {
  product: ProductDetail;
  reviews: ReviewList;
  related: readonly ProductItem[];
  /** The page puts it in: it is the cart's. */
  buyButton: ReactNode;
  /** how the seller's codes and answers have been */
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
