import { HTML_LANG, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import { ROUTES } from "@/lib/platform/routing/routes";

/** URLs per file; search engines accept 50,000 (docs/product.md#11-markup-for-search-engines). */
export const SITEMAP_URLS = 10_000;

/**
 * A page in its languages: one URL each. `path` is the desktop path without locale, `lastModified` in the database's
 * format.
 */
export type SitemapPage = { path: string; languages: readonly Locale[]; lastModified?: string };

/** Pages without a parameter that are not indexed: search, comparison, wishlist, and pages behind links of emails. */
const NOT_INDEXED = [
  "/search",
  "/compare",
  "/cart-link",
  "/wishlist",
  "/subscription/confirm",
  "/unsubscribe",
  "/withdraw",
  "/report",
  "/vendor-confirmation",
];

/** Every public page except products, categories, vendors, merchants and posts. */
export const staticSitemapPages = (): SitemapPage[] =>
  ROUTES.filter(
    ({ path, access }) => access === "public" && !path.includes("{") && !NOT_INDEXED.includes(path),
  ).map(({ path }) => ({ path, languages: LOCALES }));

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const URLSET = `${HEAD}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`;
const INDEX = `${HEAD}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`;

const escapeXml = (text: string) => text.replace(/[<>&'"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const lastmod = (at: string | undefined) => (at ? `<lastmod>${new Date(at).toISOString()}</lastmod>` : "");

/** The `<url>` entries of a page: each language lists all languages and the default. */
function urlEntries({ path, languages, lastModified }: SitemapPage, origin: string): string {
  // Next writes the home page without a trailing slash.
  const urlFor = (locale: Locale) =>
    escapeXml(origin + localizedPath(path, { locale, surface: "desktop" }).replace(/^\/$/, ""));
  const available = LOCALES.filter((locale) => languages.includes(locale));
  const links = [
    ...available.map((locale) => [HTML_LANG[locale], urlFor(locale)]),
    ["x-default", urlFor("en")],
  ]
    .map(([lang, href]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${href}"/>`)
    .join("");
  return available
    .map((locale) => `<url><loc>${urlFor(locale)}</loc>${lastmod(lastModified)}${links}</url>\n`)
    .join("");
}

/** Streams one sitemap file. */
export async function* urlset(pages: AsyncIterable<SitemapPage> | Iterable<SitemapPage>, origin: string) {
  yield URLSET;
  for await (const page of pages) yield urlEntries(page, origin);
  yield "</urlset>\n";
}

/** The index of all files, by their names below /sitemaps. */
export function sitemapIndex(
  files: readonly { file: string; lastModified?: string }[],
  origin: string,
): string {
  const entries = files.map(
    ({ file, lastModified }) =>
      `<sitemap><loc>${escapeXml(`${origin}/sitemaps/${file}`)}</loc>${lastmod(lastModified)}</sitemap>\n`,
  );
  return `${INDEX}${entries.join("")}</sitemapindex>\n`;
}

const CHUNK_LENGTH = 64 * 1024;

/** A text stream with backpressure. Small texts are sent together, because each chunk costs more than its text. */
export function toTextStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      let chunk = "";
      let isLast = false;
      while (chunk.length < CHUNK_LENGTH && !isLast) {
        const { value, done } = await texts.next();
        if (done) isLast = true;
        else chunk += value;
      }
      if (chunk) controller.enqueue(encoder.encode(chunk));
      if (isLast) controller.close();
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
