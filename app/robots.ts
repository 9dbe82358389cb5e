import type { MetadataRoute } from "next";
import { env } from "@/lib/platform/env";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { localizedPath, SURFACES } from "@/lib/platform/routing/paths";
import { ROUTES } from "@/lib/platform/routing/routes";

export const dynamic = "force-dynamic";

/** Disallows API calls and personal pages. Search stays allowed, because crawlers must read its `noindex`. */
export default function robots(): MetadataRoute.Robots {
  const privatePaths = ROUTES.filter(({ access }) => access === "login").map(({ path }) => path);
  const disallow = LOCALES.flatMap((locale) =>
    SURFACES.flatMap((surface) => privatePaths.map((path) => localizedPath(path, { locale, surface }))),
  );
  const origin = env().APP_URL;
  return {
    rules: { userAgent: "*", allow: "/", disallow: ["/api/", "/dev/", ...disallow] },
    sitemap: `${origin}/sitemap.xml`,
  };
}
