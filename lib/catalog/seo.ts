import type {
  BreadcrumbList,
  CollectionPage,
  ItemAvailability,
  MerchantReturnPolicy,
  Offer,
  OnlineStore,
  Product,
  ProductGroup,
  WebSite,
  WithContext,
} from "schema-dts";
import {
  hasWithdrawalRight,
  WITHDRAWAL_COUNTRIES,
  WITHDRAWAL_DAYS,
} from "@/lib/payments/refunds/rules-withdrawal";
import { HTML_LANG, type Locale, WRITING } from "@/lib/platform/i18n/locales";
import { breadcrumbs, type PageUrls, SHARE_SIZE, shareImagePath } from "@/lib/platform/pages/metadata";
import { localizedPath, type Surface } from "@/lib/platform/routing/paths";
import type { ReviewList } from "@/lib/reviews/contract";
import { RATING_MAX, RATING_MIN } from "@/lib/reviews/rules";
import type { CategoryView, ProductDetail, ProductItem, StockState, VipOption } from "./contract";

/** Translated labels: the home page, the name of a pass ("Week pass"), the page title. */
export type SeoLabels = {
  home: string;
  passName: (option: VipOption) => string;
  /** the page title for a product's name; differs by language, unlike most names */
  title: (name: string) => string;
};

const SHARE_WIDTH = 960;
const OPEN_GRAPH_LOCALE: Record<Locale, string> = { en: "en_US", zh: "zh_CN", ja: "ja_JP" };

/** Countries of the worldwide return policy, which search engines require: those where the shop's languages are used. */
const POLICY_COUNTRIES = ["US", "CA", "GB", "AU", "NZ", "SG", "HK", "TW", "CN", "JP"];

/** Title, description, canonical, hreflang and JSON-LD of a product page (docs/product.md#11-markup-for-search-engines). */
export function productSeo(
  product: ProductDetail,
  pageUrls: PageUrls,
  labels: SeoLabels,
  reviews?: ReviewList,
) {
  const home = pageUrls.origin + localizedPath("/", { locale: product.language, surface: "desktop" });
  const jsonLd: [WithContext<ProductGroup>, WithContext<BreadcrumbList>] = [
    { ...productGroup(product, pageUrls, labels), ...ratings(reviews) },
    breadcrumbs([labels.home, home], [product.product_name, canonicalUrl(product, pageUrls)]),
  ];
  return { metadata: productMetadata(product, pageUrls, labels), jsonLd };
}

/** JSON-LD of the home page: the store and its website (docs/product.md#11-markup-for-search-engines: no SearchAction). */
export function shopJsonLd({
  origin,
  brand,
  locale,
}: PageUrls): [WithContext<OnlineStore>, WithContext<WebSite>] {
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

/** A list of products with its own page: its path, name and text, and the products shown on it. */
type Collection = {
  path: string;
  name: string;
  description: string;
  items: readonly Pick<ProductItem, "product_name" | "slug">[];
  /** the number of all its products */
  total: number;
  /** pages between home and it */
  parents: readonly { path: string; name: string }[];
};

/** JSON-LD of the page of a category or vendor (docs/product.md#11-markup-for-search-engines). */
export function collectionJsonLd(
  { path, name, description, items, total, parents }: Collection,
  { origin, locale }: PageUrls,
  home: string,
): [WithContext<CollectionPage>, WithContext<BreadcrumbList>] {
  const urlOf = (target: string) => origin + localizedPath(target, { locale, surface: "desktop" });
  const trail = [{ path: "/", name: home }, ...parents, { path, name }];
  return [
    {
      "@context": "https://schema.org",
      "@type": "CollectionPage",
      "@id": `${urlOf(path)}#collection`,
      name,
      description,
      url: urlOf(path),
      inLanguage: HTML_LANG[locale],
      isPartOf: { "@id": `${origin}/#store` },
      mainEntity: {
        "@type": "ItemList",
        numberOfItems: total,
        itemListElement: items.map((item, i) => ({
          "@type": "ListItem",
          position: i + 1,
          name: item.product_name,
          url: urlOf(`/product/${item.slug}`),
        })),
      },
    },
    breadcrumbs(...trail.map((step): [string, string] => [step.name, urlOf(step.path)])),
  ];
}

/** JSON-LD of the page of all categories: the list of their pages. */
export function categoriesJsonLd(
  categories: readonly CategoryView[],
  { origin, locale }: PageUrls,
  labels: { home: string; title: string; description: string },
): [WithContext<CollectionPage>, WithContext<BreadcrumbList>] {
  const urlOf = (target: string) => origin + localizedPath(target, { locale, surface: "desktop" });
  return [
    {
      "@context": "https://schema.org",
      "@type": "CollectionPage",
      name: labels.title,
      description: labels.description,
      url: urlOf("/categories"),
      inLanguage: HTML_LANG[locale],
      isPartOf: { "@id": `${origin}/#store` },
      mainEntity: {
        "@type": "ItemList",
        numberOfItems: categories.length,
        itemListElement: categories.map(({ category, category_name }, i) => ({
          "@type": "ListItem",
          position: i + 1,
          name: category_name,
          url: urlOf(`/category/${category}`),
        })),
      },
    },
    breadcrumbs([labels.home, urlOf("/")], [labels.title, urlOf("/categories")]),
  ];
}

const productPath = ({ slug }: ProductDetail) => `/product/${slug}`;

/** The desktop address in the language of the texts: an untranslated page has the English page as canonical. */
const canonicalUrl = (product: ProductDetail, { origin }: PageUrls) =>
  origin + localizedPath(productPath(product), { locale: product.language, surface: "desktop" });

const imageUrl = (product: ProductDetail, { origin }: PageUrls) =>
  `${origin}${product.product_image}${product.product_image.includes("?") ? "&" : "?"}width=${SHARE_WIDTH}`;

function productMetadata(product: ProductDetail, pageUrls: PageUrls, labels: SeoLabels) {
  const { origin, brand, locale, surface } = pageUrls;
  const canonical = canonicalUrl(product, pageUrls);
  const absoluteUrl = (targetLocale: Locale, targetSurface: Surface) =>
    origin + localizedPath(productPath(product), { locale: targetLocale, surface: targetSurface });
  const translated = product.language === locale;
  const languages = Object.fromEntries([
    ...product.languages.map((language) => [HTML_LANG[language], absoluteUrl(language, surface)]),
    ["x-default", absoluteUrl("en", surface)],
  ]);
  const texts = [product.product_tagline, product.product_description];
  const description = excerpt(
    texts.join(WRITING[product.language] === "spaced" ? " " : ""),
    product.language,
  );
  const title = `${labels.title(product.product_name)} · ${brand}`;
  return {
    title: { absolute: title },
    description,
    alternates: {
      canonical,
      // A page without a translation has no alternates.
      ...(translated && { languages }),
      ...(translated &&
        surface === "desktop" && {
          media: { "only screen and (max-width: 640px)": absoluteUrl(locale, "mobile") },
        }),
    },
    openGraph: {
      type: "website" as const,
      siteName: brand,
      title: product.product_name,
      description,
      url: canonical,
      locale: OPEN_GRAPH_LOCALE[product.language],
      images: [
        {
          url: origin + shareImagePath(locale, "product", product.slug),
          ...SHARE_SIZE,
          alt: product.product_name,
        },
      ],
    },
    twitter: { card: "summary_large_image" as const },
  };
}

/** A description as long as a search result shows: about 155 Latin letters, or half as many full-width ones. */
function excerpt(text: string, language: Locale): string {
  const max = WRITING[language] === "wide" ? 78 : 155;
  const collapsed = text.replace(/\s+/g, " ").trim();
  if (collapsed.length <= max) return collapsed;
  const cut = collapsed.slice(0, max - 1);
  const end = WRITING[language] === "spaced" ? cut.lastIndexOf(" ") : cut.length;
  return `${cut.slice(0, Math.max(end, max / 2)).replace(/[\s,;:、，；：]+$/, "")}…`;
}

function productGroup(
  product: ProductDetail,
  pageUrls: PageUrls,
  labels: SeoLabels,
): WithContext<ProductGroup> {
  const url = canonicalUrl(product, pageUrls);
  const shared = {
    description: product.product_tagline,
    image: imageUrl(product, pageUrls),
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
        ...(option.lowest_price_30d !== null && {
          additionalProperty: {
            "@type": "PropertyValue",
            propertyID: "lowest_price_30d",
            name: "Lowest price in the 30 days before the reduction",
            value: option.lowest_price_30d.toFixed(2),
            unitText: "USD",
          },
        }),
        // A free pass has no offer, because search engines reject a price of 0.
        ...(option.price > 0 && { offers: toOffer(option, url, product, pageUrls) }),
      };
    }),
  };
}

const RATING_BOUNDS = { bestRating: RATING_MAX, worstRating: RATING_MIN };

/** Ratings for the markup; only on pages that list reviews, and never any that demo reviews are part of. */
function ratings(reviews: ReviewList | undefined): Pick<ProductGroup, "aggregateRating" | "review"> {
  if (!reviews?.summary.average || reviews.summary.demo > 0) return {};
  return {
    aggregateRating: {
      "@type": "AggregateRating",
      ratingValue: reviews.summary.average,
      reviewCount: reviews.summary.count,
      ...RATING_BOUNDS,
    },
    review: reviews.items.map((review) => ({
      "@type": "Review",
      name: review.title,
      reviewBody: review.content,
      author: { "@type": "Person", name: review.author },
      datePublished: review.created_at,
      inLanguage: HTML_LANG[review.language],
      reviewRating: { "@type": "Rating", ratingValue: review.rating, ...RATING_BOUNDS },
      ...(review.reply && {
        comment: {
          "@type": "Comment",
          text: review.reply.text,
          author: { "@type": "Organization", name: review.reply.merchant },
          dateCreated: review.reply.created_at,
          inLanguage: HTML_LANG[review.reply.language],
        },
      }),
    })),
  };
}

const AVAILABILITY: Record<StockState, ItemAvailability> = {
  in_stock: "https://schema.org/InStock",
  low: "https://schema.org/LimitedAvailability",
  pre_order: "https://schema.org/PreOrder",
  sold_out: "https://schema.org/OutOfStock",
};

function toOffer(
  option: VipOption,
  url: string,
  { seller, language }: ProductDetail,
  { origin }: PageUrls,
): Offer {
  const sellerPath = localizedPath(`/seller/${seller.handle}`, { locale: language, surface: "desktop" });
  return {
    "@type": "Offer",
    url: `${url}?plan=${option.vip_id}`,
    price: option.price.toFixed(2),
    priceCurrency: "USD",
    availability: AVAILABILITY[option.stock_state],
    itemCondition: "https://schema.org/NewCondition",
    seller: { "@type": "Organization", name: seller.name, url: origin + sellerPath },
    ...(option.deal && { priceValidUntil: option.deal.ends_at }),
    ...(option.releases_at && { availabilityStarts: option.releases_at }),
    // A suggested price is not a reduction, which search engines must not strike through.
    ...(option.list_price !== null && {
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        priceType: `https://schema.org/${option.list_price_kind === "previous" ? "StrikethroughPrice" : "SRP"}`,
        price: option.list_price.toFixed(2),
        priceCurrency: "USD",
      },
    }),
    hasMerchantReturnPolicy: toReturnPolicy(option),
  };
}

/**
 * The shop's own rule; where it refuses, the countries whose law gives a right of withdrawal have a policy of their own
 * (docs/product.md#82-withdrawal).
 */
function toReturnPolicy({ refund, region }: VipOption): MerchantReturnPolicy | MerchantReturnPolicy[] {
  const isWorldwide = region.includes("worldwide");
  const countries = isWorldwide ? POLICY_COUNTRIES : region;
  if (refund.refundable && refund.reason !== "before_delivery")
    return { ...returnWindow(refund.days), applicableCountry: countries };
  const statutory = isWorldwide ? WITHDRAWAL_COUNTRIES : region.filter(hasWithdrawalRight);
  const others = countries.filter((country) => !hasWithdrawalRight(country));
  const policies: MerchantReturnPolicy[] = [];
  if (others.length > 0)
    policies.push({
      "@type": "MerchantReturnPolicy",
      applicableCountry: others,
      returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted",
    });
  if (statutory.length > 0)
    policies.push({ ...returnWindow(WITHDRAWAL_DAYS), applicableCountry: [...statutory] });
  const [only] = policies;
  return policies.length === 1 && only ? only : policies;
}

const returnWindow = (days: number) => ({
  "@type": "MerchantReturnPolicy" as const,
  returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow" as const,
  merchantReturnDays: days,
  refundType: "https://schema.org/FullRefund" as const,
  returnFees: "https://schema.org/FreeReturn" as const,
});
