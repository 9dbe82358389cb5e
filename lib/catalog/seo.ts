import type {
  BreadcrumbList,
  ItemAvailability,
  MerchantReturnPolicy,
  Offer,
  OnlineStore,
  Product,
  ProductGroup,
  WebSite,
  WithContext,
} from "schema-dts";
import { HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";
import { SHARE_SIZE, shareImagePath } from "@/lib/platform/pages/metadata";
import { localizedPath, type Surface } from "@/lib/platform/routing/paths";
import type { ReviewList } from "@/lib/reviews/contract";
import { RATING_MAX, RATING_MIN } from "@/lib/reviews/rules";
import type { ProductDetail, StockState, VipOption } from "./contract";

/** Where the page stands, and what the shop is called. `origin` has no slash at its end. */
export type SeoUrls = { origin: string; brand: string; locale: Locale; surface: Surface };
/** Words of the page's language: the home page, and a pass's name ("Week pass"). */
export type SeoLabels = {
  home: string;
  passName: (option: VipOption) => string;
  /** of the page, from the product's name: names are often the same in every language, titles must not be */
  title: (name: string) => string;
};

/** The part of Next's `Metadata` that a product page sets. */
export type ProductMetadata = {
  title: { absolute: string };
  description: string;
  alternates: {
    canonical: string;
    languages?: Record<string, string>;
    media?: Record<string, string>;
  };
  openGraph: {
    type: "website";
    siteName: string;
    title: string;
    description: string;
    url: string;
    locale: string;
    images: { url: string; width: number; height: number; alt: string }[];
  };
  twitter: { card: "summary_large_image" };
};

const SHARE_WIDTH = 960;
const OPEN_GRAPH_LOCALE: Record<Locale, string> = { en: "en_US", zh: "zh_CN", ja: "ja_JP" };

/** Search engines want countries with a return policy; these are where the shop's languages are read. */
const POLICY_COUNTRIES = ["US", "CA", "GB", "AU", "NZ", "SG", "HK", "TW", "CN", "JP"];

/** Title, description, canonical, hreflang and JSON-LD of a product page (docs/product.md#11-markup-for-search-engines). */
export function productSeo(product: ProductDetail, place: SeoUrls, labels: SeoLabels, reviews?: ReviewList) {
  const jsonLd: [WithContext<ProductGroup>, WithContext<BreadcrumbList>] = [
    { ...productGroup(product, place, labels), ...ratings(reviews) },
    breadcrumbs(product, place, labels),
  ];
  return { metadata: productMetadata(product, place, labels), jsonLd };
}

/** Who the shop is, for its home page (docs/product.md#11-markup-for-search-engines: no SearchAction). */
export function shopJsonLd({
  origin,
  brand,
  locale,
}: SeoUrls): [WithContext<OnlineStore>, WithContext<WebSite>] {
  const store = `${origin}/#store`;
  return [
    {
      "@context": "https://schema.org",
      "@type": "OnlineStore",
      "@id": store,
      name: brand,
      url: `${origin}/`,
      logo: `${origin}/icon.svg`,
    },
    {
      "@context": "https://schema.org",
      "@type": "WebSite",
      name: brand,
      url: origin + localizedPath("/", { locale, surface: "desktop" }),
      inLanguage: HTML_LANG[locale],
      publisher: { "@id": store },
    },
  ];
}

const pathOf = ({ slug }: ProductDetail) => `/product/${slug}`;

/** The desktop address in the language that the texts are in: an untranslated page points to the English one. */
const canonicalOf = (product: ProductDetail, { origin }: SeoUrls) =>
  origin + localizedPath(pathOf(product), { locale: product.language, surface: "desktop" });

const imageOf = (product: ProductDetail, { origin }: SeoUrls) =>
  `${origin}${product.product_image}${product.product_image.includes("?") ? "&" : "?"}width=${SHARE_WIDTH}`;

export function productMetadata(
  product: ProductDetail,
  place: SeoUrls,
  labels: Pick<SeoLabels, "title">,
): ProductMetadata {
  const { origin, brand, locale, surface } = place;
  const canonical = canonicalOf(product, place);
  const at = (of: Locale, on: Surface) =>
    origin + localizedPath(pathOf(product), { locale: of, surface: on });
  const translated = product.language === locale;
  const languages = Object.fromEntries([
    ...product.languages.map((language) => [HTML_LANG[language], at(language, surface)]),
    ["x-default", at("en", surface)],
  ]);
  const description = excerpt(`${product.product_tagline} ${product.product_description}`, product.language);
  const title = `${labels.title(product.product_name)} · ${brand}`;
  return {
    title: { absolute: title },
    description,
    alternates: {
      canonical,
      // A page in a language it has no texts for stands in no group of translations.
      ...(translated && { languages }),
      ...(translated &&
        surface === "desktop" && {
          media: { "only screen and (max-width: 640px)": at(locale, "mobile") },
        }),
    },
    openGraph: {
      type: "website",
      siteName: brand,
      title: product.product_name,
      description,
      url: canonical,
      locale: OPEN_GRAPH_LOCALE[product.language],
      images: [
        {
          url: origin + shareImagePath(product.language, "product", product.slug),
          ...SHARE_SIZE,
          alt: product.product_name,
        },
      ],
    },
    twitter: { card: "summary_large_image" },
  };
}

/** As much as a result page shows: about 155 Latin letters, or half as many full-width ones. */
function excerpt(text: string, language: Locale): string {
  const max = language === "en" ? 155 : 78;
  const plain = text.replace(/\s+/g, " ").trim();
  if (plain.length <= max) return plain;
  const cut = plain.slice(0, max - 1);
  const end = language === "en" ? cut.lastIndexOf(" ") : cut.length;
  return `${cut.slice(0, Math.max(end, max / 2)).replace(/[\s,;:、，；：]+$/, "")}…`;
}

function productGroup(product: ProductDetail, place: SeoUrls, labels: SeoLabels): WithContext<ProductGroup> {
  const url = canonicalOf(product, place);
  const shared = {
    description: product.product_tagline,
    image: imageOf(product, place),
    brand: { "@type": "Brand" as const, name: product.maker },
    category: product.category_name,
  };
  return {
    "@context": "https://schema.org",
    "@type": "ProductGroup",
    "@id": `${url}#product`,
    name: product.product_name,
    url,
    productGroupID: String(product.product_id),
    variesBy: ["https://schema.org/size"],
    ...shared,
    description: product.product_description,
    hasVariant: product.vip_options.map((option): Product => {
      const name = labels.passName(option);
      return {
        "@type": "Product",
        "@id": `${url}#plan-${option.vip_id}`,
        name: `${product.product_name}: ${name}`,
        sku: `${product.product_id}-${option.vip_id}`,
        size: name,
        ...shared,
        // Search engines take a priced offer of 0 for a mistake: a free pass carries none.
        ...(option.price > 0 && { offers: offerOf(option, url, place) }),
      };
    }),
  };
}

/** Ratings stand in the markup only where reviews are listed on the page. */
function ratings(reviews: ReviewList | undefined): Pick<ProductGroup, "aggregateRating" | "review"> {
  if (!reviews?.summary.average) return {};
  return {
    aggregateRating: {
      "@type": "AggregateRating",
      ratingValue: reviews.summary.average,
      reviewCount: reviews.summary.count,
      bestRating: RATING_MAX,
      worstRating: RATING_MIN,
    },
    review: reviews.items.map((review) => ({
      "@type": "Review",
      name: review.title,
      reviewBody: review.content,
      author: { "@type": "Person", name: review.author },
      datePublished: review.created_at,
      inLanguage: HTML_LANG[review.language],
      reviewRating: {
        "@type": "Rating",
        ratingValue: review.rating,
        bestRating: RATING_MAX,
        worstRating: RATING_MIN,
      },
    })),
  };
}

const AVAILABILITY: Record<StockState, ItemAvailability> = {
  in_stock: "https://schema.org/InStock",
  low: "https://schema.org/LimitedAvailability",
  pre_order: "https://schema.org/PreOrder",
  sold_out: "https://schema.org/OutOfStock",
};

function offerOf(option: VipOption, url: string, { origin, brand }: SeoUrls): Offer {
  return {
    "@type": "Offer",
    url: `${url}?plan=${option.vip_id}`,
    price: option.price.toFixed(2),
    priceCurrency: "USD",
    availability: AVAILABILITY[option.stock_state],
    itemCondition: "https://schema.org/NewCondition",
    seller: { "@type": "Organization", name: brand, url: `${origin}/` },
    ...(option.deal && { priceValidUntil: option.deal.ends_at }),
    ...(option.releases_at && { availabilityStarts: option.releases_at }),
    ...(option.list_price !== null && {
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        priceType: "https://schema.org/StrikethroughPrice",
        price: option.list_price.toFixed(2),
        priceCurrency: "USD",
      },
    }),
    hasMerchantReturnPolicy: returnPolicyOf(option),
  };
}

function returnPolicyOf({ refund, region }: VipOption): MerchantReturnPolicy {
  const applicableCountry = region.includes("worldwide") ? POLICY_COUNTRIES : region;
  if (!refund.refundable)
    return {
      "@type": "MerchantReturnPolicy",
      applicableCountry,
      returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted",
    };
  return {
    "@type": "MerchantReturnPolicy",
    applicableCountry,
    returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
    merchantReturnDays: refund.days,
    refundType: "https://schema.org/FullRefund",
    returnFees: "https://schema.org/FreeReturn",
  };
}

function breadcrumbs(
  product: ProductDetail,
  place: SeoUrls,
  { home }: SeoLabels,
): WithContext<BreadcrumbList> {
  const start = place.origin + localizedPath("/", { locale: product.language, surface: "desktop" });
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: [
      { "@type": "ListItem", position: 1, name: home, item: start },
      { "@type": "ListItem", position: 2, name: product.product_name, item: canonicalOf(product, place) },
    ],
  };
}
