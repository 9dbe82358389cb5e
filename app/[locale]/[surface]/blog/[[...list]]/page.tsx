import { cache } from "react";
import { BlogScreen } from "@/components/blog/blog-screen";
import { blogLabels, listLabels } from "@/components/blog/post-labels";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { findBlogView } from "@/lib/blog/list-posts";
import { blogJsonLd, blogMetadata } from "@/lib/blog/seo";
import { type ListPageProps, listQuery } from "@/lib/platform/pages/list-path";
import type { PageUrls } from "@/lib/platform/pages/metadata";
import { notFoundMetadata } from "@/lib/platform/pages/not-found-metadata";
import { type PageProps, pageLocation, respondNotFound } from "@/lib/platform/pages/page";

export const dynamic = "force-static";

/** `query`: of a search (../search/page.tsx). A static page may not even read its own. */
type Props = { params: Promise<Awaited<ListPageProps["params"]> & { query?: SearchParams }> };
type SearchParams = Awaited<PageProps["searchParams"]>;

/** `query` as JSON, so that title and page share one read. Null: the address of no list. */
const load = cache(async (location: PageUrls, query: string | null) => {
  const view = query && (await findBlogView(JSON.parse(query), location.locale));
  return view ? { view, labels: await listLabels(location.locale, view.list.page) } : null;
});

async function readQuery({ params }: Props): Promise<string | null> {
  const { list, query } = await params;
  const listed = listQuery(list);
  return listed && JSON.stringify({ ...query, ...listed });
}

export async function generateMetadata(props: Props) {
  const location = await pageLocation(props.params);
  const found = await load(location, await readQuery(props));
  return found ? blogMetadata(found.view.list, location, found.labels) : notFoundMetadata(props);
}

export default async function BlogPage(props: Props) {
  const location = await pageLocation(props.params);
  const found = await load(location, await readQuery(props));
  if (!found) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { home, blog } = await blogLabels(location.locale);
  const { description } = found.labels;
  const jsonLd = blogJsonLd(found.view.found.posts, location, { home, title: blog, description });
  return <BlogScreen {...found.view} jsonLd={jsonLd} />;
}
