import { streamPostPages } from "@/lib/blog/stream-post-pages";
import { COLLECTION_SITEMAP, productSitemapPart } from "@/lib/catalog/feeds/rules";
import { hasProductSitemap } from "@/lib/catalog/feeds/stream-sitemaps";
import { env } from "@/lib/platform/env";
import { FILE_CACHE_CONTROL, sendGeneratedFile } from "@/lib/platform/generated-files";
import { type SitemapPage, staticSitemapPages, toTextStream, urlset } from "@/lib/platform/pages/sitemap";

export const dynamic = "force-dynamic";

const TYPE = "application/xml; charset=utf-8";

/** One file of the sitemap. Those that grow with the catalogue are made by the worker. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ file: string }> },
): Promise<Response> {
  const path = `/sitemaps/${(await params).file}`;
  const part = productSitemapPart(path);
  if (path === COLLECTION_SITEMAP || (part > 0 && (await hasProductSitemap(part))))
    return sendGeneratedFile(request, path, { type: TYPE, tag: "feed" });
  const pages = findPages(path);
  if (!pages) return new Response("Not found", { status: 404 });
  return new Response(toTextStream(urlset(pages, env().APP_URL)), {
    headers: { "Content-Type": TYPE, "Cache-Control": FILE_CACHE_CONTROL },
  });
}

function findPages(path: string): AsyncIterable<SitemapPage> | Iterable<SitemapPage> | undefined {
  if (path === "/sitemaps/pages.xml") return staticSitemapPages();
  return path === "/sitemaps/posts.xml" ? streamPostPages() : undefined;
}
