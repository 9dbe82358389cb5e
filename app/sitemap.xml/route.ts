import { listPostSitemaps } from "@/lib/blog/queries-feed";
import { listProductSitemaps } from "@/lib/catalog/queries-feed";
import { env } from "@/lib/env";
import { sitemapIndex } from "@/lib/sitemap";

export const dynamic = "force-dynamic";

/** The index of all sitemap files (decisions.md "Markup for search engines"). */
export async function GET(): Promise<Response> {
  const [products, posts] = await Promise.all([listProductSitemaps(), listPostSitemaps()]);
  const files = [
    { file: "pages.xml" },
    ...posts,
    ...products.map(({ part, lastModified }) => ({ file: `products-${part}.xml`, lastModified })),
  ];
  return new Response(sitemapIndex(files, env().APP_URL), {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=300" },
  });
}
