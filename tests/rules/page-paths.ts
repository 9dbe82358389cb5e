import fc from "fast-check";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import { ROUTES } from "@/lib/platform/routing/routes";

export const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
export const CHROME =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const slug = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/).filter((text) => text !== "detail");
export const knownPath = fc
  .tuple(fc.constantFrom(...ROUTES.map((route) => route.path)), slug, fc.integer({ min: 1, max: 999_999 }))
  .map(([path, text, id]) => path.replace("{id}", String(id)).replace("{slug}", text));
export const pagePlace = fc.record({
  locale: fc.constantFrom(...LOCALES),
  surface: fc.constantFrom("desktop" as const, "mobile" as const),
});
export const query = fc
  .array(
    fc.tuple(fc.constantFrom("id", "coupon", "source", "q", "_rsc", "redirect"), fc.string({ maxLength: 8 })),
    { maxLength: 4 },
  )
  .map((pairs) => (pairs.length ? `?${new URLSearchParams(pairs)}` : ""));
const segment = fc.oneof(
  slug,
  fc.constantFrom(
    "en",
    "zh",
    "ja",
    "mobile",
    "desktop",
    "",
    "..",
    "%2e%2e",
    "%2f",
    "%5c",
    "%63art",
    "%6dobile",
    "%7Ah",
    "%E6%9C%AC",
    "\\",
    "api",
    "cart",
    "limited",
    "limited-offer",
    "Cart",
    "ZH",
    "Mobile",
    "Limited",
  ),
  fc.string({ maxLength: 6 }),
);
export const anyPath = fc.oneof(
  fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join("/")}`),
  fc.tuple(pagePlace, knownPath).map(([page, path]) => localizedPath(path, page)),
);
