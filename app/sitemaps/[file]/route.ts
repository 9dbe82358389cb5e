import { streamPostPages } from "@/lib/blog/queries";
import { streamProductPages } from "@/lib/catalog/feeds/queries";
import { env } from "@/lib/platform/env";
import { type SitemapPage, staticSitemapPages, toTextStream, urlset } from "@/lib/platform/pages/sitemap";

export const dynamic = "force-dynamic";

/** One file of the sitemap, streamed. */
export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const pages = findPages((await params).file);
  if (!pages) return new Response("Not found", { status: 404 });
  return new Response(toTextStream(urlset(pages, env().APP_URL)), {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=300" },
  });
}

function findPages(file: string): AsyncIterable<SitemapPage> | Iterable<SitemapPage> | undefined {
  if (file === "pages.xml") return staticSitemapPages();
  if (file === "posts.xml") return streamPostPages();
  const part = /^products-([1-9]\d{0,5})\.xml$/.exec(file)?.[1];
  return part ? streamProductPages(Number(part)) : undefined;
}
