import type { CategoryView } from "@/lib/catalog/contract";
import { REFUND_DAYS, REFUNDABLE_FROM_DAYS } from "@/lib/payments/refunds/rules";
import { HTML_LANG, LOCALES } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";

type Shop = { origin: string; brand: string; categories: readonly CategoryView[] };

/** `/llms.txt` (llmstxt.org): what the shop is, its promises, and where its data can be read. */
export function llmsText({ origin, brand, categories }: Shop): string {
  const absoluteUrl = (path: string) => `${origin}${path}`;
  const languages = LOCALES.map(
    (locale) => `${HTML_LANG[locale]} ${origin}${localizedPath("/", { locale, surface: "desktop" })}`,
  );
  return `# ${brand}

> A marketplace for official, short-term passes (day, week, month, year, lifetime) to AI and software applications.
> Codes come from the vendors and open an account of the buyer's own; no shared accounts. Prices are in USD.

Paid means delivered, queued with a date, or refunded. Passes of ${REFUNDABLE_FROM_DAYS} days and longer are refunded in full within ${REFUND_DAYS} days of the payment while they are unredeemed; shorter, limited-time and free passes are not refundable.
Languages: ${languages.join(", ")}.

## Catalogue

- [All passes](${absoluteUrl("/top-trending")}): the whole list, by relevance, price or price per day
- [Limited offers](${absoluteUrl("/limited-offer")}): deals that really end, with the units left
- [Product feed](${absoluteUrl("/feeds/products.jsonl")}): JSON Lines, a product a line, with plans, prices, price per day, availability, region and refund days
- [Sitemap](${absoluteUrl("/sitemap.xml")}): every page in every language with its last change

Categories: ${categories
    .map(
      ({ category, category_name, total }) =>
        `[${category_name}](${absoluteUrl(`/category/${category}`)}) (${total})`,
    )
    .join(", ")}.

## For assistants

- [MCP](${absoluteUrl("/mcp")}): search, compare, plan passes for some days, quote refunds, prepare a cart; a person buys
- [UCP profile](${absoluteUrl("/.well-known/ucp")}): REST at ${absoluteUrl("/ucp/v1")}, permalinks at ${absoluteUrl("/ucp/v1/p")}/{pass}:{quantity}
- Markdown of a page: its address with .md, as ${absoluteUrl("/help.md")}, /product/{slug}.md, /category/{slug}.md
- [How it works](${absoluteUrl("/agents")}), [plan by days](${absoluteUrl("/plan")})

## Help

- [Blog](${absoluteUrl("/blog")}): how long a pass one needs, how refunds and activation work
- [Refund policy](${absoluteUrl("/refund-policy")}), [Terms of service](${absoluteUrl("/terms-of-service")}), [Privacy policy](${absoluteUrl("/privacy-policy")})
- [API](${absoluteUrl("/api/v1/openapi.json")}): OpenAPI 3.1 of every call
- [For merchants](${absoluteUrl("/business/register")}): register to sell
`;
}

/** The files that the worker makes (make-file.ts). */
export const FEED = "/feeds/products.jsonl";
export const COLLECTION_SITEMAP = "/sitemaps/collections.xml";

/** The number of a sitemap file of products; 0 for any other address. */
export const productSitemapPart = (path: string): number =>
  Number(/^\/sitemaps\/products-([1-9]\d{0,5})\.xml$/.exec(path)?.[1] ?? 0);
