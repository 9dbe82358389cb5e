import { ListPostsInput, PostListView } from "@/lib/blog/contract";
import { listPosts } from "@/lib/blog/list-posts";
import { endpoint } from "@/lib/platform/api/endpoint";
import { READ_COSTS } from "@/lib/platform/expensive-work";

export const GET = endpoint(
  {
    summary: "List the posts of the blog",
    access: "public",
    coalesced: true,
    query: ListPostsInput,
    result: PostListView,
    errors: [],
    readCost: READ_COSTS.search,
  },
  ({ query, locale }) => listPosts(query, locale),
);
