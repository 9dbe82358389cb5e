import { streamPostPages } from "@/lib/blog/queries";
import { hasProductSitemap, streamCollectionPages, streamProductPages } from "@/lib/catalog/feeds/queries";
import { env } from "@/lib/platform/env";
import { type SitemapPage, staticSitemapPages, toTextStream, urlset } from "@/lib/platform/pages/sitemap";

export const dynamic = "force-dynamic";

/** One file of the sitemap, streamed. */
export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const pages = await findPages((await params).file);
  if (!pages) return new Response("Not found", { status: 404 });
  return new Response(toTextStream(urlset(pages, env().APP_URL)), {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=300" },
  });
}

async function findPages(
  file: string,
): Promise<AsyncIterable<SitemapPage> | Iterable<SitemapPage> | undefined> {
  if (file === "pages.xml") return staticSitemapPages();
  if (file === "collections.xml") return streamCollectionPages();
  if (file === "posts.xml") return streamPostPages();
  const part = Number(/^products-([1-9]\d{0,5})\.xml$/.exec(file)?.[1] ?? 0);
  return part > 0 && (await hasProductSitemap(part)) ? streamProductPages(part) : undefined;
}
