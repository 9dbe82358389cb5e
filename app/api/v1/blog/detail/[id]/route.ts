import { PostPage, PostParams } from "@/lib/blog/contract";
import { getPostPage } from "@/lib/blog/find-post-page";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Show a post, by ID or slug, with the previous and next post",
    access: "public",
    coalesced: true,
    params: PostParams,
    result: PostPage,
    errors: ["post_unknown"],
  },
  ({ params, locale }) => getPostPage(params.id, locale),
);
