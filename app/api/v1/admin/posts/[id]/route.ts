import {
  ConsolePost,
  ConsolePostParams,
  POST_LIMIT_BYTES,
  PostSaved,
  PostSaveInput,
} from "@/lib/blog/console/contract";
import { getConsolePost } from "@/lib/blog/console/get-console-post";
import { savePost } from "@/lib/blog/console/save-post";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "A post with its texts in all languages",
    access: staff("posts.write"),
    params: ConsolePostParams,
    result: ConsolePost,
    errors: ["post_unknown"],
  },
  ({ params }) => getConsolePost(params.id),
);

export const POST = endpoint(
  {
    summary: "Save a post",
    description:
      "With the revision that was edited: 40940, and nothing changes, when someone else has saved it since. A published post keeps its address.",
    access: staff("posts.write"),
    params: ConsolePostParams,
    body: PostSaveInput,
    limitBytes: POST_LIMIT_BYTES,
    result: PostSaved,
    errors: [
      "post_unknown",
      "revision_conflict",
      "post_slug_taken",
      "post_slug_fixed",
      "post_incomplete",
      "note_has_code",
    ],
  },
  ({ viewer, params, body }) => savePost(viewer, params.id, body),
);
