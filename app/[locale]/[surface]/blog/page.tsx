import { notFound } from "next/navigation";
import { cache } from "react";
import { BlogScreen } from "@/components/blog/blog-screen";
import { listWords } from "@/components/blog/post-words";
import { findBlogView } from "@/lib/blog/queries-page";
import { blogMetadata } from "@/lib/blog/seo";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

const load = cache(async (params: PageProps["params"], searchParams: PageProps["searchParams"]) => {
  const place = await pageLocation(params);
  const view = (await findBlogView(await searchParams, place.locale)) ?? notFound();
  return { view, place, words: await listWords(place.locale, view.list.page) };
});
export async function generateMetadata({ params, searchParams }: PageProps) {
  const { view, place, words } = await load(params, searchParams);
  return blogMetadata(view.list, place, words);
}
export default async function BlogPage({ params, searchParams }: PageProps) {
  const { view } = await load(params, searchParams);
  return <BlogScreen {...view} />;
}
