import { PostPictureParams, PostPictureQuery } from "@/lib/blog/console/contract";
import { getPostPicture } from "@/lib/blog/console/queries";
import { imageFormat } from "@/lib/catalog/images/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Show a picture that a post can use",
    access: staff("posts.write"),
    params: PostPictureParams,
    query: PostPictureQuery,
    result: binary("image/avif"),
    errors: ["post_unknown"],
  },
  async ({ params, query, request }) => {
    const format = imageFormat(request.headers.get("accept"));
    const { bytes } = await getPostPicture(params.hash, { width: query.width, format });
    return new Response(new Uint8Array(bytes), {
      headers: {
        "content-type": `image/${format}`,
        "cache-control": "private, max-age=3600",
        vary: "Accept",
        "x-content-type-options": "nosniff",
      },
    });
  },
);
