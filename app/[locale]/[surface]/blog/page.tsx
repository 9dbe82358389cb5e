import { cache } from "react";
import { BlogScreen } from "@/components/blog/blog-screen";
import { blogLabels, listLabels } from "@/components/blog/post-labels";
import { NotFoundScreen, notFoundMetadata } from "@/components/shell/not-found-screen";
import { findBlogView } from "@/lib/blog/queries";
import { blogJsonLd, blogMetadata } from "@/lib/blog/seo";
import type { PageUrls } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation, respondNotFound } from "@/lib/platform/pages/page";

const load = cache(async (location: PageUrls, query: Awaited<PageProps["searchParams"]>) => {
  const view = await findBlogView(query, location.locale);
  return view && { view, labels: await listLabels(location.locale, view.list.page) };
});
export async function generateMetadata({ params, searchParams }: PageProps) {
  const location = await pageLocation(params);
  const found = await load(location, await searchParams);
  return found ? blogMetadata(found.view.list, location, found.labels) : notFoundMetadata({ params });
}
export default async function BlogPage({ params, searchParams }: PageProps) {
  const location = await pageLocation(params);
  const found = await load(location, await searchParams);
  if (!found) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { home, blog } = await blogLabels(location.locale);
  const { description } = found.labels;
  const jsonLd = blogJsonLd(found.view.found.posts, location, { home, title: blog, description });
  return <BlogScreen {...found.view} jsonLd={jsonLd} />;
}
