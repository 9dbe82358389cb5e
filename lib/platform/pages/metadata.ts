import type { Metadata } from "next";
import type { BreadcrumbList, WebPage, WithContext } from "schema-dts";
import { HTML_LANG, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { localizedPath, type Surface } from "@/lib/platform/routing/paths";

/** Size of a share image in pixels. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

/** The path of a share image, of a product or post by its slug, or of the shop. */
export const shareImagePath = (locale: Locale, kind: "page" | "product" | "post", slug: string) =>
  `/share-image/${locale}/${kind}/${slug}`;

export type PageUrls = { origin: string; brand: string; locale: Locale; surface: Surface };

/**
 * Metadata of a public page in all languages (docs/product.md#11-markup-for-search-engines): canonical is the desktop
 * address without parameters; translations on the same surface; the desktop page names its mobile alternate. `path`
 * is the desktop path without locale. Pages with `indexed: false` are noindex, follow.
 */
export function publicMetadata(
  path: string,
  page: PageUrls,
  {
    indexed = true,
    image,
    ...labels
  }: {
    title?: string;
    description: string;
    indexed?: boolean;
    /** Path of the share image; default: the shop's own. */
    image?: string;
  },
): Metadata {
  const { origin, brand, locale, surface } = page;
  const urlFor = (locale: Locale, surface: Surface) => origin + localizedPath(path, { locale, surface });
  if (!indexed) return { ...labels, robots: { index: false, follow: true } };
  const canonical = urlFor(locale, "desktop");
  return {
    ...labels,
    alternates: {
      canonical,
      languages: {
        ...Object.fromEntries(LOCALES.map((language) => [HTML_LANG[language], urlFor(language, surface)])),
        "x-default": urlFor("en", surface),
      },
      ...(surface === "desktop" && {
        media: { "only screen and (max-width: 640px)": urlFor(locale, "mobile") },
      }),
    },
    openGraph: {
      type: "website",
      siteName: brand,
      url: canonical,
      ...labels,
      images: [
        {
          url: origin + (image ?? shareImagePath(locale, "page", "home")),
          ...SHARE_SIZE,
        },
      ],
    },
    twitter: { card: "summary_large_image" },
  };
}

/** JSON-LD of the path to a page, from the home page. */
export const breadcrumbs = (...pages: [name: string, url: string][]): WithContext<BreadcrumbList> => ({
  "@context": "https://schema.org",
  "@type": "BreadcrumbList",
  itemListElement: pages.map(([name, item], i) => ({ "@type": "ListItem", position: i + 1, name, item })),
});

/** JSON-LD of a page that is only text: a WebPage and the path to it. `path` is the desktop path without locale. */
export function webPageJsonLd(
  path: string,
  { origin, locale }: PageUrls,
  page: { name: string; description: string; home: string },
): [WithContext<WebPage>, WithContext<BreadcrumbList>] {
  const url = origin + localizedPath(path, { locale, surface: "desktop" });
  return [
    {
      "@context": "https://schema.org",
      "@type": "WebPage",
      "@id": `${url}#page`,
      name: page.name,
      description: page.description,
      url,
      inLanguage: HTML_LANG[locale],
      isPartOf: { "@id": `${origin}/#store` },
    },
    breadcrumbs([page.home, origin + localizedPath("/", { locale, surface: "desktop" })], [page.name, url]),
  ];
}
