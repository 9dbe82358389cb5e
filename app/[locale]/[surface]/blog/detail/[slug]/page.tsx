import { notFound } from "next/navigation";
import { cache } from "react";
import { blogLabels } from "@/components/blog/post-labels";
import { PostScreen } from "@/components/blog/post-screen";
import { getPostView } from "@/lib/blog/queries-page";
import { postJsonLd, postMetadata, postUrl } from "@/lib/blog/seo";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

type Props = PageProps<"slug">;
const load = cache(async (params: Props["params"]) => {
  const [{ slug }, place] = [await params, await pageLocation(params)];
  const view = (await getPostView(slug, place)) ?? notFound();
  return { view, post: view.page.post, place, labels: await blogLabels(place.locale) };
});
export async function generateMetadata({ params }: Props) {
  const { post, place } = await load(params);
  return postMetadata(post, place);
}
export default async function PostPage({ params }: Props) {
  const { view, post, place, labels } = await load(params);
  return <PostScreen {...view} address={postUrl(post, place)} jsonLd={postJsonLd(post, place, labels)} />;
}
