import { listPostSitemaps } from "@/lib/blog/stream-post-pages";
import { listProductSitemaps } from "@/lib/catalog/feeds/stream-sitemaps";
import { env } from "@/lib/platform/env";
import { FILE_CACHE_CONTROL } from "@/lib/platform/generated-files";
import { sitemapIndex } from "@/lib/platform/pages/sitemap";

export const dynamic = "force-dynamic";

/** The index of all sitemap files (docs/product.md#11-markup-for-search-engines). */
export async function GET(): Promise<Response> {
  const [products, posts] = await Promise.all([listProductSitemaps(), listPostSitemaps()]);
  const files = [
    { file: "pages.xml" },
    { file: "collections.xml" },
    ...posts,
    ...products.map(({ part, lastModified }) => ({ file: `products-${part}.xml`, lastModified })),
  ];
  return new Response(sitemapIndex(files, env().APP_URL), {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": FILE_CACHE_CONTROL },
  });
}
