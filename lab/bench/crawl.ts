import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "node-html-parser";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { ROUTES } from "@/lib/platform/routing/routes";
import { demoAccount } from "@/scripts/start/demo-account";
import { repositoryRoot } from "@/scripts/start/server-process";
import { clientAddress } from "@/tests/setup/client-address";

/*
 * Records the responses of a running demo shop at all its addresses, and compares two records. Start each shop with a new
 * DATA_DIR, TRUSTED_PROXIES=1 and no APP_URL. `--also` requests the addresses of an earlier record, too.
 */
const USAGE = `npm run crawl -- --base http://localhost:PORT --out FILE.json [--also BEFORE.json]
npm run crawl -- --compare BEFORE.json AFTER.json [--limit 20]`;

const CONCURRENCY = 4;
/** This many products are requested on every surface, in every language and by every visitor; the others once. */
const SAMPLE = 15;
const DESKTOP = { "user-agent": "Mozilla/5.0 (compatible; PassBot/1.0; +https://example.com/bot)" };
const PHONE = {
  "user-agent": "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari/537.36",
};

/** Aliases, unknown addresses and queries, which ROUTES does not contain. */
const EXTRA_PATHS = splitWords(`
  /en /en/ /en/en /en/mobile /en/cart /en/cart?source=x /en/product/no-such /en/top-trending /zh/ /ja/mobile/ /fr /fr/cart
  /top-trending/ /mobile/cart/ /limited /mobile/limited /mobile/limited-offer /zh/mobile/limited-offer /search-results
  /mobile/search-results /mobile/search-results?q=code /zh/mobile/search-results?q=code /forgot-password /zh/forgot-password
  /mobile/forgot-password /mobile/reset-password /ja/mobile/reset-password /mobile/set-new-password /vendor-confirmation
  /desktop /desktop/x /desktop/cart /en/desktop /en/desktop/x /en/desktop/cart /en/desktop/top-trending /zh/desktop
  /zh/desktop/cart /ja/desktop/login /mobile/mobile /mobile/desktop /mobile/zh /zh/en /zh/zh /nothing /zh/nothing
  /mobile/nothing /ja/mobile/nothing/at/all /product /product/detail /product/no-such /zh/mobile/product/no-such
  /product/detail/99999999 /product/detail/x /product/%E0%A4%A /blog/detail /blog/detail/no-such /i/NOSUCHCODE /cart/x
  /profile/x /checkout/x /payment /business /subscription /blog?page=1 /blog?page=2 /blog?page=0 /blog?page=x /blog?page=9999
  /blog?category=x /zh/blog?page=2 /mobile/blog?page=2 /top-trending?page=2 /top-trending?page=x /top-trending?sort=price_asc
  /top-trending?source=x /limited-offer?page=2 /search?q=code /search?q=code&page=2 /search?q= /ja/search?q=code
  /search?category=writing /search?q=code&price_to=5 /login?redirect=/cart /login?redirect=//example.com
  /cart?source=x&coupon=y /mobile/profile?page=2 /checkout?order_id=no-such /receipt?order_id=no-such /invite?page=2
  /order-history?order_id=no-such /order-history?page=2 /payment/success?order_id=no-such /payment/cancel?order_id=no-such
  /payment/error?order_id=no-such /subscription/confirm?token=x /unsubscribe?token=x /vendor-confirmation?token=x
  /withdraw?order_id=no-such`);

/** Addresses that are not pages. */
const FILES = splitWords(`
  /robots.txt /llms.txt /sitemap.xml /sitemaps/none.xml /sitemaps/products-9999999.xml /feeds/products.jsonl /feeds/none
  /manifest.webmanifest /favicon.ico /icon.svg /apple-icon.png /none.png /_next/static/none.js /healthz /api/v1
  /api/v1/openapi.json /api/v1/nothing /api/v2/cart/list /api/auth/session /api/auth/csrf /api/auth/nothing
  /dev/mailbox /dev/mailbox/no-such /dev/nothing /share-image/en/page/home /share-image/zh/page/home
  /share-image/en/page/none /share-image/fr/page/home /share-image/en/product/no-such /share-image/en/post/no-such
  /admin/product-image/99999999 /api/v1/product/detail/1001 /api/v1/docs/swagger-ui.css`);

function splitWords(text: string): string[] {
  return text.trim().split(/\s+/);
}

type Visit = { visitor: string; method: string; path: string };
type ResponseRecord = Record<string, unknown>;
type Crawl = Record<string, ResponseRecord>;

async function crawl(base: string, also: string[]): Promise<Crawl> {
  const cookie = await signIn(base);
  const visitors: Record<string, Record<string, string>> = {
    desktop: DESKTOP,
    phone: PHONE,
    "desktop shopper": { ...DESKTOP, cookie },
    "phone shopper": { ...PHONE, cookie },
    "desktop reading zh": { ...DESKTOP, cookie: "locale=zh" },
    "phone on desktop pages": { ...PHONE, cookie: "surface=desktop" },
    router: { ...DESKTOP, rsc: "1" },
  };
  const read = async (path: string) =>
    (await fetch(base + path, { headers: visitors["desktop shopper"] })).text();
  const { data } = JSON.parse(await read("/api/v1/referral/info")) as { data: { code: string } };
  const normalize = (text: string) =>
    withoutVolatile(text.replaceAll(base, "{origin}").replaceAll(data.code, "{code}"));

  const visits = new Map<string, Visit>();
  for (const visit of [...(await listVisits(read, data.code, Object.keys(visitors))), ...also.map(toVisit)]) {
    const path = visit.path.replace("{code}", data.code);
    visits.set(normalize(`${visit.visitor} ${visit.method} ${path}`), { ...visit, path });
  }
  const records: Crawl = {};
  const queue = visits.entries();
  const work = async () => {
    for (const [name, { visitor, method, path }] of queue) {
      const url = base + path + (visitor === "router" ? `${path.includes("?") ? "&" : "?"}_rsc` : "");
      const headers = { ...visitors[visitor], "x-forwarded-for": clientAddress() };
      const response = await fetch(url, { method, headers, redirect: "manual" });
      records[name] = await describe(response, normalize);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return Object.fromEntries(Object.entries(records).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Parses the visit from the name of a record. */
function toVisit(name: string): Visit {
  const [, visitor = "", method = "", path = ""] = /^(.+) ([A-Z]+) (\S+)$/.exec(name) ?? [];
  return { visitor, method, path };
}

async function signIn(base: string): Promise<string> {
  const response = await fetch(`${base}/api/v1/auth/login/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ user_email: demoAccount.email, user_password: demoAccount.password }),
  });
  const session = response.headers.getSetCookie().find((line) => line.includes("session-token="));
  if (!session) throw new Error(`The demo account cannot sign in at ${base}: ${await response.text()}`);
  return session.split(";")[0]!;
}

/** Replaces times and ids, which differ between starts. Times at midnight are written dates and are kept. */
const withoutVolatile = (text: string) =>
  text
    .replace(/\d{4}-\d\d-\d\dT(?!00:00:00)[\d:.]+(Z|[+-]\d\d:\d\d)/g, "{time}")
    .replace(/\b(?:[a-z]{3}_[0-9a-z]{20}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22})\b/g, "{id}");

async function listVisits(read: (path: string) => Promise<string>, code: string, allVisitors: string[]) {
  const products = (await read("/feeds/products.jsonl"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { product_id: number; slug: string; image: string });
  const sitemaps = locations(await read("/sitemap.xml"));
  const posts = (await Promise.all(sitemaps.map(read)))
    .flatMap(locations)
    .filter((path) => path.startsWith("/blog/detail/"));
  if (products.length === 0 || posts.length === 0) throw new Error("The shop has no products or no posts.");

  const product = (one: { slug: string }) => `/product/${one.slug}`;
  const pages = ROUTES.flatMap(({ path }) => {
    if (path === "/product/{slug}") return products.slice(0, SAMPLE).map(product);
    if (path === "/product/detail/{id}")
      return products.slice(0, 3).map((one) => `/product/detail/${one.product_id}`);
    if (path === "/blog/detail/{slug}") return posts;
    return path.replace("{code}", code);
  });
  const everywhere = ["", "/mobile"].flatMap((surface) =>
    LOCALES.flatMap((locale) =>
      pages.map((path) => `${locale === "en" ? "" : `/${locale}`}${surface}${path}`.replace(/(.)\/$/, "$1")),
    ),
  );
  const images = products.slice(0, 5).map(({ image }) => new URL(image).pathname + new URL(image).search);
  const shares = products.slice(0, 5).map(({ slug }) => `/share-image/ja/product/${slug}`);
  const postShares = posts.slice(0, 3).map((path) => path.replace("/blog/detail", "/share-image/zh/post"));
  const calls = listCalls();
  return [
    ...visit(allVisitors, everywhere),
    ...visit(["desktop", "phone", "desktop shopper", "phone shopper"], EXTRA_PATHS),
    ...visit(
      ["desktop"],
      [...products.slice(SAMPLE).map(product), ...FILES, ...sitemaps, ...images, ...shares, ...postShares],
    ),
    ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].flatMap((method) =>
      visit(["desktop"], calls, method),
    ),
    ...visit(["desktop shopper"], calls),
  ];
}

const visit = (visitors: string[], paths: string[], method = "GET"): Visit[] =>
  visitors.flatMap((visitor) => [...new Set(paths)].map((path) => ({ visitor, path, method })));

const locations = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = ""]) => new URL(url).pathname);

/** The calls of the API, from the route files; every parameter is `1`. */
function listCalls(): string[] {
  const files = readdirSync(join(repositoryRoot, "app/api/v1"), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith("/route.ts") && !file.includes("[..."))
    .map((file) => `/api/v1/${file.replace(/\/route\.ts$/, "").replace(/\[\w+\]/g, "1")}`)
    .sort();
}

/** The record of a response, without empty values. */
async function describe(response: Response, normalize: (text: string) => string): Promise<ResponseRecord> {
  const { status, headers } = response;
  const type = headers.get("content-type") ?? "";
  const isBinary = /image|javascript|x-component/.test(type);
  const text = normalize(await response.text());
  const cookies = headers.getSetCookie().map((line) => line.split("=")[0]);
  const record: ResponseRecord = {
    status,
    location: normalize(headers.get("location") ?? ""),
    type,
    allow: headers.get("allow"),
    robotsHeader: headers.get("x-robots-tag"),
    cookies: cookies.sort(),
    ...(isBinary || text === "" ? {} : describeContent(type, text)),
  };
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
}

const isEmpty = (value: unknown) => ["null", '""', "[]", "{}"].includes(JSON.stringify(value ?? null));

function describeContent(type: string, text: string): ResponseRecord {
  if (type.includes("text/html")) return describePage(text);
  if (/jsonl|xml|text\/plain/.test(type)) return { lines: text.trim().split("\n") };
  if (!type.includes("json")) return {};
  const document = JSON.parse(text) as ResponseRecord;
  return "code" in document ? { code: document.code } : { document };
}

function describePage(text: string): ResponseRecord {
  const html = parse(text);
  const attribute = (selector: string, name: string) => html.querySelector(selector)?.getAttribute(name);
  const alternates = (name: string) =>
    Object.fromEntries(
      html
        .querySelectorAll(`link[rel=alternate][${name}]`)
        .map((link) => [link.getAttribute(name) ?? "", link.getAttribute("href")]),
    );
  const jsonLd = html
    .querySelectorAll("script[type='application/ld+json']")
    .flatMap((script) => [JSON.parse(script.textContent) as ResponseRecord | ResponseRecord[]].flat());
  return {
    lang: attribute("html", "lang"),
    title: html.querySelector("title")?.text,
    robots: attribute("meta[name=robots]", "content"),
    canonical: attribute("link[rel=canonical]", "href"),
    hreflang: alternates("hreflang"),
    media: alternates("media"),
    shareImage: attribute("meta[property='og:image']", "content"),
    refresh: attribute("meta[http-equiv=refresh]", "content"),
    jsonLd: jsonLd.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

/**
 * Every value of a record with its path. A list of texts is treated as a set, so that an added text is one
 * difference.
 */
function flatten(value: unknown, path = ""): [string, string][] {
  if (isEmpty(value) || typeof value !== "object" || value === null) return [[path, JSON.stringify(value)]];
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return value.map((item) => [`${path} ${item}`, JSON.stringify(item)]);
  return Object.entries(value).flatMap(([name, item]) => flatten(item, path ? `${path}.${name}` : name));
}

/** Prints the differences by kind and returns how many there are. */
function compare(before: Crawl, after: Crawl, limit: number): number {
  const kinds = new Map<string, string[]>();
  const report = (kind: string, text: string) => kinds.set(kind, [...(kinds.get(kind) ?? []), text]);
  for (const address of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [previous, current] = [before[address], after[address]];
    if (!previous || !current) {
      report(
        previous ? "address only before" : "address only after",
        `${address} (${(previous ?? current)?.status})`,
      );
      continue;
    }
    const [oldValues, newValues] = [new Map(flatten(previous)), new Map(flatten(current))];
    for (const path of new Set([...oldValues.keys(), ...newValues.keys()]))
      if (oldValues.get(path) !== newValues.get(path))
        report(
          path.split(/[. ]/)[0]!,
          `${address}, ${path.slice(0, 150)}: ${oldValues.get(path) ?? "nothing"} → ${newValues.get(path) ?? "nothing"}`,
        );
  }
  for (const [kind, texts] of [...kinds].sort()) {
    console.log(`${kind}: ${texts.length}`);
    for (const text of texts.slice(0, limit)) console.log(`  ${text}`);
    if (texts.length > limit) console.log(`  … and ${texts.length - limit} more`);
  }
  const total = [...kinds.values()].flat().length;
  console.log(
    `${Object.keys(before).length} responses before, ${Object.keys(after).length} after, ${total} differences`,
  );
  return total;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: "string" },
    out: { type: "string" },
    also: { type: "string" },
    compare: { type: "boolean" },
    limit: { type: "string", default: "20" },
  },
});
const [before, after] = positionals;
const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Crawl;
if (values.compare && before && after) {
  process.exitCode = compare(read(before), read(after), Number(values.limit)) > 0 ? 1 : 0;
} else if (values.base && values.out) {
  const records = await crawl(new URL(values.base).origin, Object.keys(values.also ? read(values.also) : {}));
  writeFileSync(values.out, `${JSON.stringify(records, null, 1)}\n`);
  console.log(`${Object.keys(records).length} responses are in ${values.out}.`);
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
