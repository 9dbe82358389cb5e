import { POST_LIMIT_BYTES, PostPreview, PostPreviewInput } from "@/lib/blog/console/contract";
import { previewPost } from "@/lib/blog/console/preview-post";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Show a post's text as the site would",
    description: "Also lists what prevents publishing it. Nothing is stored.",
    access: staff("posts.write"),
    body: PostPreviewInput,
    limitBytes: POST_LIMIT_BYTES,
    result: PostPreview,
    errors: [],
    rate: [{ limit: 600, seconds: 600, by: "user" }],
  },
  ({ body, locale }) => previewPost(body, locale),
);
