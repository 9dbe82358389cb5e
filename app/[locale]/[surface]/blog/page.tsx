import { notFound } from "next/navigation";
import { cache } from "react";
import { BlogScreen } from "@/components/blog/blog-screen";
import { blogLabels, listLabels } from "@/components/blog/post-labels";
import { findBlogView } from "@/lib/blog/queries";
import { blogJsonLd, blogMetadata } from "@/lib/blog/seo";
import type { PageUrls } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

const load = cache(async (location: PageUrls, query: Awaited<PageProps["searchParams"]>) => {
  const view = (await findBlogView(query, location.locale)) ?? notFound();
  return { view, labels: await listLabels(location.locale, view.list.page) };
});
export async function generateMetadata({ params, searchParams }: PageProps) {
  const location = await pageLocation(params);
  const { view, labels } = await load(location, await searchParams);
  return blogMetadata(view.list, location, labels);
}
export default async function BlogPage({ params, searchParams }: PageProps) {
  const location = await pageLocation(params);
  const { view, labels } = await load(location, await searchParams);
  const { home, blog } = await blogLabels(location.locale);
  const { description } = labels;
  return (
    <BlogScreen
      {...view}
      jsonLd={blogJsonLd(view.found.posts, location, { home, title: blog, description })}
    />
  );
}
