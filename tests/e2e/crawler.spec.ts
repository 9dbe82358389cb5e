import { setTimeout as sleep } from "node:timers/promises";
import type { APIRequestContext, APIResponse } from "@playwright/test";
import { type HTMLElement, parse } from "node-html-parser";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";
import { parsePath } from "@/lib/platform/routing/paths";
import { rounds } from "../setup/rounds";
import { expect, test } from "./fixtures";
import { callApi, fillCart, signUp } from "./users";

/** A crawler without a device in its user agent, like the desktop crawlers of search engines. */
const AGENT = { "user-agent": "Mozilla/5.0 (compatible; PassBot/1.0; +https://example.com/bot)" };
const CONCURRENT = 6;

type Cluster = Record<string, string>;
type SitemapEntry = { url: string; cluster: Cluster };
type CrawledPage = SitemapEntry & {
  html: HTMLElement;
  title: string;
  description: string;
  links: Set<string>;
};

/** Reads an address as a crawler does, and tries again when the shop responds with Retry-After. */
async function visit(request: APIRequestContext, url: string, maxRedirects: number): Promise<APIResponse> {
  const response = await request.get(url, { headers: AGENT, maxRedirects });
  if (response.status() !== 429) return response;
  await sleep(1000 * Number(response.headers()["retry-after"]));
  return visit(request, url, maxRedirects);
}

const fetchText = async (request: APIRequestContext, url: string): Promise<string> => {
  const response = await visit(request, url, 0);
  expect(response.status(), url).toBe(200);
  return response.text();
};

/** Every entry of every file of the sitemap index. */
async function listSitemap(request: APIRequestContext): Promise<SitemapEntry[]> {
  const files = [...(await fetchText(request, "/sitemap.xml")).matchAll(/<loc>([^<]*)<\/loc>/g)].map(
    (m) => m[1]!,
  );
  const entries: SitemapEntry[] = [];
  for (const file of files)
    for (const [, entry = ""] of (await fetchText(request, file)).matchAll(/<url>(.*?)<\/url>/gs)) {
      const links = [...entry.matchAll(/hreflang="([^"]*)" href="([^"]*)"/g)];
      entries.push({
        url: /<loc>([^<]*)</.exec(entry)?.[1] ?? "",
        cluster: Object.fromEntries(links.map(([, lang, href]) => [lang, href])),
      });
    }
  return entries;
}

async function mapConcurrently<T, R>(items: readonly T[], action: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await action(next[1]);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  return results;
}

const attribute = (html: HTMLElement, selector: string, name: string) =>
  html.querySelector(selector)?.getAttribute(name) ?? "";

async function crawl(request: APIRequestContext, page: SitemapEntry): Promise<CrawledPage> {
  const html = parse(await fetchText(request, page.url));
  const links = html
    .querySelectorAll("a[href^='/']")
    .map((a) => (a.getAttribute("href") ?? "").split("#")[0]!);
  return {
    ...page,
    html,
    title: html.querySelector("head title")?.text ?? "",
    description: attribute(html, "head meta[name=description]", "content"),
    links: new Set(links),
  };
}

type Node = Record<string, unknown>;

/** The blocks of structured data, each parsed. */
const getMarkup = ({ html }: CrawledPage): Node[] =>
  html
    .querySelectorAll("script[type='application/ld+json']")
    .flatMap((script) => [JSON.parse(script.textContent) as Node | Node[]].flat());

/** The properties that search engines require of each type of structured data. */
const REQUIRED: Record<string, string[]> = {
  ProductGroup: ["name", "description", "image", "brand", "productGroupID", "hasVariant", "url"],
  Product: ["name", "sku", "image", "description"],
  Offer: ["price", "priceCurrency", "availability", "url", "hasMerchantReturnPolicy"],
  BreadcrumbList: ["itemListElement"],
  CollectionPage: ["name", "description", "url", "mainEntity"],
  ItemList: ["numberOfItems", "itemListElement"],
  Blog: ["name", "description", "url", "blogPost"],
  WebPage: ["name", "description", "url"],
  BlogPosting: ["headline", "datePublished", "dateModified", "author", "image"],
  OnlineStore: ["name", "url", "logo"],
  WebSite: ["name", "url"],
};

function findMarkupProblems(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(findMarkupProblems);
  if (node === null || typeof node !== "object") return [];
  const { "@type": type, ...rest } = node as Node & { "@type"?: string };
  const missing = (REQUIRED[type ?? ""] ?? []).filter(
    (name) => rest[name] === undefined || rest[name] === "",
  );
  return [
    ...missing.map((name) => `${type} lacks ${name}`),
    ...Object.values(rest).flatMap(findMarkupProblems),
  ];
}

/** Prices of the structured data that the page does not show. */
function findHiddenPrices(page: CrawledPage, locale: Locale): string[] {
  const visibleText = page.html.querySelector("main")?.text ?? "";
  const group = getMarkup(page).find((node) => node["@type"] === "ProductGroup");
  const variants = (group?.hasVariant ?? []) as { name: string; offers?: { price: string } }[];
  return variants.flatMap(({ name, offers }) => {
    if (!offers) return [];
    const shown = formatPrice(toCents(offers.price), locale);
    return visibleText.includes(shown) ? [] : [`${name}: ${shown}`];
  });
}

/** `npm test` crawls a part of the products and posts; `npm run test:all` crawls them all. */
const SHARE = rounds(1, 8);

/** All pages except those about one product, vendor or post, and every n-th of the latter, in all languages. */
function sample(pages: SitemapEntry[]): SitemapEntry[] {
  const clusters = [...new Set(pages.map(({ cluster }) => JSON.stringify(cluster)))];
  const picked = new Set(clusters.filter((_, index) => index % SHARE === 0));
  return pages.filter(
    ({ url, cluster }) => !/\/(product|vendor|detail)\//.test(url) || picked.has(JSON.stringify(cluster)),
  );
}

test("a crawler finds every page of the sitemap complete, unique and linked to its translations", {
  tag: ["@all", "@once"],
}, async ({ request }) => {
  test.setTimeout(300_000);
  const entries = await listSitemap(request);
  const urls = new Set(entries.map(({ url }) => url));
  expect(entries.length).toBeGreaterThan(100);
  expect(urls.size, "no URL is listed twice").toBe(entries.length);
  const pages = await mapConcurrently(sample(entries), (page) => crawl(request, page));

  const problems: string[] = [];
  const pageOfText = new Map<string, string>();
  for (const page of pages) {
    const report = (problem: string) => problems.push(`${page.url}: ${problem}`);
    const { html, cluster } = page;
    const { locale } = parsePath(new URL(page.url).pathname);
    const headings = html.querySelectorAll("h1").length;
    if (headings !== 1) report(`${headings} h1`);
    for (const [property, value] of [
      ["title", page.title],
      ["description", page.description],
    ] as const) {
      if (value.length < 8) report(`no ${property}`);
      const other = pageOfText.get(`${property} ${value}`);
      if (other) report(`the ${property} of ${other}`);
      pageOfText.set(`${property} ${value}`, page.url);
    }
    const canonical = attribute(html, "link[rel=canonical]", "href");
    if (canonical !== page.url) report(`canonical ${canonical}`);
    if (/noindex/.test(attribute(html, "meta[name=robots]", "content"))) report("noindex");
    const alternates = Object.fromEntries(
      html
        .querySelectorAll("link[rel=alternate][hreflang]")
        .map((link) => [link.getAttribute("hreflang"), link.getAttribute("href")]),
    );
    if (JSON.stringify(Object.entries(alternates).sort()) !== JSON.stringify(Object.entries(cluster).sort()))
      report(`hreflang differs from the sitemap: ${JSON.stringify(alternates)}`);
    for (const href of Object.values(cluster)) if (!urls.has(href)) report(`${href} is not in the sitemap`);
    if (!attribute(html, "link[rel=alternate][media]", "href").includes("/mobile"))
      report("no mobile alternate");
    if (!attribute(html, "meta[property='og:image']", "content")) report("no share image");
    for (const problem of findMarkupProblems(getMarkup(page))) report(problem);
    for (const price of findHiddenPrices(page, locale)) report(`price only in the markup: ${price}`);
  }
  for (const page of pages)
    for (const href of Object.values(page.cluster)) {
      const back = pages.find(({ url }) => url === href)?.cluster;
      if (back && JSON.stringify(back) !== JSON.stringify(page.cluster))
        problems.push(`${page.url}: ${href} names another cluster`);
    }
  expect(problems).toEqual([]);
  console.log(`crawler: n=${pages.length} URLs in ${LOCALES.length} languages, 0 problems`);

  const links = [...new Set(pages.flatMap((page) => [...page.links]))].filter(
    (_, index) => index % SHARE === 0,
  );
  const broken = await mapConcurrently(links, async (link) => {
    const response = await visit(request, link, 3);
    return response.status() < 400 ? [] : [`${response.status()} ${link}`];
  });
  expect(broken.flat()).toEqual([]);
  console.log(`crawler: n=${links.length} internal links, 0 broken`);
});

test("share images, product feed and llms.txt are complete", { tag: ["@all", "@once"] }, async ({
  request,
}) => {
  test.setTimeout(120_000);
  const lines = (await fetchText(request, "/feeds/products.jsonl")).trim().split("\n");
  const products = lines.map((line) => JSON.parse(line) as { slug: string; texts: Record<string, unknown> });
  const urls = products.flatMap(({ slug, texts }) =>
    Object.keys(texts).map((locale) => `/share-image/${locale}/product/${slug}`),
  );
  await mapConcurrently(
    [...urls.slice(0, SHARE === 1 ? 12 : 3), "/share-image/zh/page/home"],
    async (url) => {
      const response = await request.get(url);
      expect(response.status(), url).toBe(200);
      const png = await response.body();
      expect([png.readUInt32BE(16), png.readUInt32BE(20)], url).toEqual([1200, 630]);
    },
  );
  expect((await request.get("/share-image/en/product/no-such-product")).status()).toBe(404);
  const llms = await fetchText(request, "/llms.txt");
  // Agents post to /mcp; who opens it gets the allowed method.
  for (const [, address = ""] of llms.matchAll(/\]\((http[^)]*)\)/g))
    expect((await request.get(address)).status(), address).toBe(address.endsWith("/mcp") ? 405 : 200);
});

test("unknown addresses are 404 in every language", { tag: ["@all", "@once"] }, async ({ request }) => {
  for (const prefix of ["", "/zh", "/ja", "/mobile", "/ja/mobile"])
    for (const path of ["/product/no-such", "/product/detail/99999999", "/blog/detail/no-such", "/nothing"])
      expect((await request.get(prefix + path, { headers: AGENT })).status(), prefix + path).toBe(404);
  for (const file of ["/sitemaps/products-9999999.xml", "/sitemaps/x.xml"])
    expect((await request.get(file)).status(), file).toBe(404);
});

test("structured data and cart show the same price", { tag: "@once" }, async ({ request }) => {
  await signUp(request, { locale: "en" });
  type Item = { product_id: number; slug: string; vip_id: number; stock_state: string; price: number };
  const { items } = await callApi<{ items: Item[] }>(request, "/product/list?size=12");
  const bought = items
    .filter(({ stock_state, price }) => stock_state === "in_stock" && price > 0)
    .slice(0, 8);
  expect(bought.length).toBeGreaterThan(3);
  for (const item of bought) await fillCart(request, item);
  const cart = await callApi<{ cart_items: { vip_id: number; price: number }[] }>(request, "/cart/list");
  for (const { slug, vip_id } of bought) {
    const html = parse(await fetchText(request, `/product/${slug}`));
    const markup = html.querySelector("script[type='application/ld+json']")?.textContent ?? "";
    const [group] = JSON.parse(markup) as { hasVariant: { sku: string; offers?: { price: string } }[] }[];
    const offer = group?.hasVariant.find(({ sku }) => sku.endsWith(`-${vip_id}`))?.offers;
    expect(Number(offer?.price), slug).toBe(cart.cart_items.find((line) => line.vip_id === vip_id)?.price);
  }
});
