import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ErrorName, ShopError } from "@/lib/platform/errors";
import { renderRefusal } from "@/lib/platform/http/refusal";
import { DEFAULT_LOCALE, LOCALES } from "@/lib/platform/i18n/locales";
import { CAPTURED_NAMES } from "@/lib/platform/routing/attribution-cookie";
import { PAGE_QUERIES } from "@/lib/platform/routing/page-queries";
import { MOBILE_WORDS } from "@/lib/platform/routing/paths";
import { DESKTOP_NAMES, MOBILE_NAMES, ROUTES } from "@/lib/platform/routing/routes";

/** The expensive calls that guests may make (READ_COSTS of lib/platform/expensive-work.ts). */
export const SEARCH_CALLS = ["/product/search", "/product/suggest", "/blog/list", "/order/invoice"];

const oneOf = (words: readonly string[]) => `(?:${words.join("|")})`;
const prefixes = `(?:/${oneOf(LOCALES)})?(?:/mobile)?`;
const searchPages = [
  "/search",
  "/plan",
  ...Object.keys(DESKTOP_NAMES).filter((name) => DESKTOP_NAMES[name] === "/search"),
];

/**
 * The paths of pages that the shop caches: nginx looks up no others, because uncached responses would wait for each
 * other.
 */
const cachedPages = ROUTES.filter(({ cached }) => cached).flatMap(({ path }) => {
  const pattern = path.replace(/\{(\w+)\}/g, (_, name) => (name === "id" ? "\\d{1,9}" : "[\\w-]{1,120}"));
  return path === "/" ? ["/?"] : [pattern, ...(MOBILE_NAMES[path] ? [MOBILE_NAMES[path]] : [])];
});

/** A parameter that changes no page. Excludes encoded names, which could name one that does. */
const OTHER = `(?!${oneOf([...Object.keys(PAGE_QUERIES), "q"])}(?:[=&]|$))[\\w.~-]*(?:=[^&]*)?`;

/** The line for the parameters `names` in this order, among others: their part of the cache key. */
function queryLine(...names: (keyof typeof PAGE_QUERIES)[]): [string, string] {
  const parameters = names.map((name) => `${name}=(?<key_${name}>${PAGE_QUERIES[name]})`);
  const pattern = `~^(?:${OTHER}&)*${parameters.join(`&(?:${OTHER}&)*`)}(?:&${OTHER})*$`;
  return [
    pattern,
    [...names]
      .sort()
      .map((name) => `${name}=$key_${name}`)
      .join("&"),
  ];
}

/**
 * The decisions that nginx and the shop must share, as bodies of nginx `map` blocks (deploy/nginx/requests.conf): the
 * first regular expression that matches counts.
 */
const MAPS: Record<string, [string, string][]> = {
  // $http_user_agent
  device: [
    ["default", "desktop"],
    [`~*${oneOf(MOBILE_WORDS)}`, "mobile"],
  ],
  // $request_uri
  "path-locale": [
    ["default", DEFAULT_LOCALE],
    [`~^/(?<path_prefix>${LOCALES.join("|")})(?:[/?]|$)`, "$path_prefix"],
  ],
  // "$cookie_locale $path_locale": a stored language leads from addresses of the default language to its own.
  "other-locale": [
    ["default", ""],
    ...LOCALES.filter((locale) => locale !== DEFAULT_LOCALE).map((locale): [string, string] => [
      `${locale} ${DEFAULT_LOCALE}`,
      "1",
    ]),
  ],
  // "$request_uri $http_accept_language": the language of an error page.
  "refusal-locale": [
    ["default", DEFAULT_LOCALE],
    [`~^/(?<refusal_prefix>${LOCALES.join("|")})(?:[/? ]|$)`, "$refusal_prefix"],
    ...LOCALES.map((locale): [string, string] => [`~*^\\S* ${locale}\\b`, locale]),
  ],
  // $args: the part of the query that belongs to the key of a page; "unclear" is not cached.
  query: [
    ["default", "unclear"],
    ["", ""], // nginx does not match regular expressions against an empty text
    [`~^${OTHER}(?:&${OTHER})*$`, ""],
    queryLine("plan"),
    queryLine("sort"),
    queryLine("page"),
    queryLine("page", "sort"),
    queryLine("sort", "page"),
  ],
  // $args: a landing address, whose answer sets a cookie.
  attributed: [
    ["default", ""],
    [`~(?:^|&)(?:utm_)?${oneOf(CAPTURED_NAMES)}=`, "1"],
  ],
  // "$uri?$args": which limits count it, and whether it is a page that may be cached.
  kind: [
    ["default", "other"],
    ["~^/api/v1/payment/stripe/webhook\\?", "notice"],
    [`~^/api/v1${oneOf(SEARCH_CALLS)}\\?`, "search-call"],
    ["~^/api/v1/admin/product-image/", "picture"],
    ["~^/api/", "call"],
    ["~^/(?:mcp|ucp)(?:/|\\?)", "call"],
    ["~^/admin/product-image/", "picture"],
    ["~^/share-image/", "search"],
    [`~*^${prefixes}${oneOf(searchPages)}/?\\?`, "search"],
    [`~*^${prefixes}/blog/?\\?(?:.*&)?q=`, "search"],
    [`~^${prefixes}${oneOf(cachedPages)}\\?`, "page"],
  ],
};

const writeLine = ([key, value]: [string, string]) => `${key === "default" ? key : `"${key}"`} "${value}";\n`;

/** The map files by name. */
export const frontMaps = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(MAPS).map(([name, lines]) => [
      `${name}.map`,
      `# Written by scripts/write-front-files.ts\n${lines.map(writeLine).join("")}`,
    ]),
  );

/** The errors that nginx itself responds with, by status. */
const REFUSALS: Record<number, ErrorName> = {
  400: "address_invalid",
  405: "method_not_allowed",
  413: "body_too_large",
  414: "address_too_long",
  429: "too_many_requests",
  502: "unavailable",
};

/** The error pages of nginx by path, as the shop itself writes them: a page, and the envelope of a call. */
export function frontErrors(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const locale of LOCALES)
    for (const [status, name] of Object.entries(REFUSALS)) {
      const render = (url: string) =>
        renderRefusal({ method: "GET", url, headers: { "accept-language": locale } }, new ShopError(name))
          .body;
      files[`${locale}/${status}.html`] = render(`/${locale}`);
      files[`${locale}/${status}.json`] = render("/api/v1");
    }
  return files;
}

export function writeFrontFiles(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

// npx tsx scripts/write-front-files.ts          writes the maps
// npx tsx scripts/write-front-files.ts FOLDER   writes the error pages into a folder
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , folder] = process.argv;
  if (folder) writeFrontFiles(folder, frontErrors());
  else writeFrontFiles("deploy/nginx/maps", frontMaps());
}
