import type { APIRequestContext } from "@playwright/test";
import { type HTMLElement, parse } from "node-html-parser";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";
import { parsePath } from "@/lib/platform/routing/paths";
import { rounds } from "../setup/rounds";
import { expect, test } from "./fixtures";
import { callApi, fillCart, signUp } from "./users";

/** A crawler that names no device, as search engines' desktop ones. */
const AGENT = { "user-agent": "Mozilla/5.0 (compatible; PassBot/1.0; +https://example.com/bot)" };
const AT_ONCE = 6;

type Cluster = Record<string, string>;
type Listed = { url: string; cluster: Cluster };
type Crawled = Listed & { html: HTMLElement; title: string; description: string; links: Set<string> };

const textOf = async (request: APIRequestContext, url: string) => {
  const response = await request.get(url, { headers: AGENT, maxRedirects: 0 });
  expect(response.status(), url).toBe(200);
  return response.text();
};

/** Every URL of every file that the index names. */
async function listed(request: APIRequestContext): Promise<Listed[]> {
  const files = [...(await textOf(request, "/sitemap.xml")).matchAll(/<loc>([^<]*)<\/loc>/g)].map(
    (m) => m[1]!,
  );
  const found: Listed[] = [];
  for (const file of files)
    for (const [, entry = ""] of (await textOf(request, file)).matchAll(/<url>(.*?)<\/url>/gs)) {
      const links = [...entry.matchAll(/hreflang="([^"]*)" href="([^"]*)"/g)];
      found.push({
        url: /<loc>([^<]*)</.exec(entry)?.[1] ?? "",
        cluster: Object.fromEntries(links.map(([, lang, href]) => [lang, href])),
      });
    }
  return found;
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

const attribute = (html: HTMLElement, selector: string, name: string) =>
  html.querySelector(selector)?.getAttribute(name) ?? "";

async function crawl(request: APIRequestContext, page: Listed): Promise<Crawled> {
  const html = parse(await textOf(request, page.url));
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
const markupOf = ({ html }: Crawled): Node[] =>
  html
    .querySelectorAll("script[type='application/ld+json']")
    .flatMap((script) => [JSON.parse(script.textContent) as Node | Node[]].flat());

/** What search engines ask of each type that we use; a missing property makes the markup worthless. */
const NEEDED: Record<string, string[]> = {
  ProductGroup: ["name", "description", "image", "brand", "productGroupID", "hasVariant", "url"],
  Product: ["name", "sku", "image", "description"],
  Offer: ["price", "priceCurrency", "availability", "url", "hasMerchantReturnPolicy"],
  BreadcrumbList: ["itemListElement"],
  BlogPosting: ["headline", "datePublished", "dateModified", "author", "image"],
  OnlineStore: ["name", "url", "logo"],
  WebSite: ["name", "url"],
};

function faultsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(faultsOf);
  if (node === null || typeof node !== "object") return [];
  const { "@type": type, ...rest } = node as Node & { "@type"?: string };
  const missing = (NEEDED[type ?? ""] ?? []).filter((name) => rest[name] === undefined || rest[name] === "");
  return [...missing.map((name) => `${type} lacks ${name}`), ...Object.values(rest).flatMap(faultsOf)];
}

/** Prices of the markup that the page does not show to the eye, or that differ from it. */
function pricesNotSeen(page: Crawled, locale: Locale): string[] {
  const seen = page.html.querySelector("main")?.text ?? "";
  const group = markupOf(page).find((node) => node["@type"] === "ProductGroup");
  const variants = (group?.hasVariant ?? []) as { name: string; offers?: { price: string } }[];
  return variants.flatMap(({ name, offers }) => {
    if (!offers) return [];
    const shown = formatPrice(toCents(offers.price), locale);
    return seen.includes(shown) ? [] : [`${name}: ${shown}`];
  });
}

/** `npm test` crawls a part of the products and posts; `npm run test:all` crawls them all. */
const SHARE = rounds(1, 8);

/** Pages that are not about one product or post, and every n-th of those that are, in all languages. */
function sample(pages: Listed[]): Listed[] {
  const clusters = [...new Set(pages.map(({ cluster }) => JSON.stringify(cluster)))];
  const picked = new Set(clusters.filter((_, at) => at % SHARE === 0));
  return pages.filter(
    ({ url, cluster }) => !/\/(product|detail)\//.test(url) || picked.has(JSON.stringify(cluster)),
  );
}

test("a crawler finds every page of the sitemap whole, unique and tied to its translations", {
  tag: "@once",
}, async ({ request }) => {
  test.setTimeout(300_000);
  const entries = await listed(request);
  const known = new Set(entries.map(({ url }) => url));
  expect(entries.length).toBeGreaterThan(100);
  expect(known.size, "no URL is listed twice").toBe(entries.length);
  const pages = await inTurns(sample(entries), (page) => crawl(request, page));

  const faults: string[] = [];
  const seen = new Map<string, string>();
  for (const page of pages) {
    const say = (what: string) => faults.push(`${page.url}: ${what}`);
    const { html, cluster } = page;
    const { locale } = parsePath(new URL(page.url).pathname);
    const headings = html.querySelectorAll("h1").length;
    if (headings !== 1) say(`${headings} h1`);
    for (const [what, value] of [
      ["title", page.title],
      ["description", page.description],
    ] as const) {
      if (value.length < 8) say(`no ${what}`);
      const other = seen.get(`${what} ${value}`);
      if (other) say(`the ${what} of ${other}`);
      seen.set(`${what} ${value}`, page.url);
    }
    const canonical = attribute(html, "link[rel=canonical]", "href");
    if (canonical !== page.url) say(`canonical ${canonical}`);
    if (/noindex/.test(attribute(html, "meta[name=robots]", "content"))) say("noindex");
    const named = Object.fromEntries(
      html
        .querySelectorAll("link[rel=alternate][hreflang]")
        .map((link) => [link.getAttribute("hreflang"), link.getAttribute("href")]),
    );
    if (JSON.stringify(Object.entries(named).sort()) !== JSON.stringify(Object.entries(cluster).sort()))
      say(`hreflang differs from the sitemap: ${JSON.stringify(named)}`);
    for (const href of Object.values(cluster)) if (!known.has(href)) say(`${href} is not in the sitemap`);
    if (!attribute(html, "link[rel=alternate][media]", "href").includes("/mobile"))
      say("no mobile alternate");
    if (!attribute(html, "meta[property='og:image']", "content")) say("no share image");
    for (const fault of faultsOf(markupOf(page))) say(fault);
    for (const price of pricesNotSeen(page, locale)) say(`price only in the markup: ${price}`);
  }
  for (const page of pages)
    for (const href of Object.values(page.cluster)) {
      const back = pages.find(({ url }) => url === href)?.cluster;
      if (back && JSON.stringify(back) !== JSON.stringify(page.cluster))
        faults.push(`${page.url}: ${href} names another cluster`);
    }
  expect(faults).toEqual([]);
  console.log(`crawler: n=${pages.length} URLs in ${LOCALES.length} languages, 0 faults`);

  const links = [...new Set(pages.flatMap((page) => [...page.links]))].filter((_, at) => at % SHARE === 0);
  const broken = await inTurns(links, async (link) => {
    const response = await request.get(link, { headers: AGENT, maxRedirects: 3 });
    return response.status() < 400 ? [] : [`${response.status()} ${link}`];
  });
  expect(broken.flat()).toEqual([]);
  console.log(`crawler: n=${links.length} internal links, 0 broken`);
});

test("share images, product feed and llms.txt are complete", { tag: "@once" }, async ({ request }) => {
  test.setTimeout(120_000);
  const lines = (await textOf(request, "/feeds/products.jsonl")).trim().split("\n");
  const products = lines.map((line) => JSON.parse(line) as { slug: string; texts: Record<string, unknown> });
  const urls = products.flatMap(({ slug, texts }) =>
    Object.keys(texts).map((locale) => `/share-image/${locale}/product/${slug}`),
  );
  await inTurns([...urls.slice(0, SHARE === 1 ? 12 : 3), "/share-image/zh/page/home"], async (url) => {
    const response = await request.get(url);
    expect(response.status(), url).toBe(200);
    const png = await response.body();
    expect([png.readUInt32BE(16), png.readUInt32BE(20)], url).toEqual([1200, 630]);
  });
  expect((await request.get("/share-image/en/product/no-such-product")).status()).toBe(404);
  const llms = await textOf(request, "/llms.txt");
  for (const [, address = ""] of llms.matchAll(/\]\((http[^)]*)\)/g))
    expect((await request.get(address)).status(), address).toBe(200);
});

test("unknown addresses are 404 in every language", { tag: "@once" }, async ({ request }) => {
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
    const html = parse(await textOf(request, `/product/${slug}`));
    const markup = html.querySelector("script[type='application/ld+json']")?.textContent ?? "";
    const [group] = JSON.parse(markup) as { hasVariant: { sku: string; offers?: { price: string } }[] }[];
    const offer = group?.hasVariant.find(({ sku }) => sku.endsWith(`-${vip_id}`))?.offers;
    expect(Number(offer?.price), slug).toBe(cart.cart_items.find((line) => line.vip_id === vip_id)?.price);
  }
});
