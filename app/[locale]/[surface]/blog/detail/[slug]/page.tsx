import { cache } from "react";
import { blogLabels } from "@/components/blog/post-labels";
import { PostScreen } from "@/components/blog/post-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getPostView } from "@/lib/blog/find-post-page";
import { postJsonLd, postMetadata, postUrl } from "@/lib/blog/seo";
import type { PageUrls } from "@/lib/platform/pages/metadata";
import { notFoundMetadata } from "@/lib/platform/pages/not-found-metadata";
import { type PageProps, pageLocation, respondNotFound } from "@/lib/platform/pages/page";

export const dynamic = "force-static";

type Props = PageProps<"slug">;
const load = cache(async (slug: string, location: PageUrls) => {
  const view = await getPostView(slug, location);
  return view && { view, post: view.page.post, labels: await blogLabels(location.locale) };
});
export async function generateMetadata({ params }: Props) {
  const location = await pageLocation(params);
  const found = await load((await params).slug, location);
  return found ? postMetadata(found.post, location) : notFoundMetadata({ params });
}
export default async function PostPage({ params }: Props) {
  const location = await pageLocation(params);
  const found = await load((await params).slug, location);
  if (!found) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { view, post, labels } = found;
  return (
    <PostScreen {...view} address={postUrl(post, location)} jsonLd={postJsonLd(post, location, labels)} />
  );
}
