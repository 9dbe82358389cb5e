import { PostImageQuery, PostParams } from "@/lib/blog/contract";
import { getPostImage } from "@/lib/blog/queries-image";
import { imageFormat, imageResponse } from "@/lib/catalog/images/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "Show a post's image",
    description: "AVIF, WebP or PNG, as the Accept header allows. Only the listed widths are served.",
    access: "public",
    params: PostParams,
    query: PostImageQuery,
    result: binary("image/avif"),
    errors: ["post_unknown"],
  },
  async ({ params, query, request }) => {
    const format = imageFormat(request.headers.get("accept"));
    const image = await getPostImage(params.id, { width: query.width, format });
    return imageResponse(request, image, { format, v: query.v });
  },
);
