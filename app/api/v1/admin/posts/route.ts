import {
  ConsolePostList,
  ConsolePostsInput,
  POST_LIMIT_BYTES,
  PostInput,
  PostSaved,
} from "@/lib/blog/console/contract";
import { listConsolePosts } from "@/lib/blog/console/list-console-posts";
import { createPost } from "@/lib/blog/console/save-post";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Posts, drafts too",
    access: staff("posts.write"),
    query: ConsolePostsInput,
    result: ConsolePostList,
    errors: ["cursor_invalid"],
  },
  ({ query, locale }) => listConsolePosts(query, locale),
);

export const POST = endpoint(
  {
    summary: "Write a post",
    description:
      "As a draft, or published immediately. A published post is complete in three languages; `errors` names what is missing.",
    access: staff("posts.write"),
    body: PostInput,
    limitBytes: POST_LIMIT_BYTES,
    result: PostSaved,
    errors: ["post_slug_taken", "post_incomplete", "note_has_code"],
  },
  ({ viewer, body }) => createPost(viewer, body),
);
