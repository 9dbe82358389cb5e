import { notFound } from "next/navigation";
import { cache } from "react";
import { BlogScreen } from "@/components/blog/blog-screen";
import { listLabels } from "@/components/blog/post-labels";
import { findBlogView } from "@/lib/blog/queries-page";
import { blogMetadata } from "@/lib/blog/seo";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

const load = cache(async (params: PageProps["params"], searchParams: PageProps["searchParams"]) => {
  const place = await pageLocation(params);
  const view = (await findBlogView(await searchParams, place.locale)) ?? notFound();
  return { view, place, labels: await listLabels(place.locale, view.list.page) };
});
export async function generateMetadata({ params, searchParams }: PageProps) {
  const { view, place, labels } = await load(params, searchParams);
  return blogMetadata(view.list, place, labels);
}
export default async function BlogPage({ params, searchParams }: PageProps) {
  const { view } = await load(params, searchParams);
  return <BlogScreen {...view} />;
}
