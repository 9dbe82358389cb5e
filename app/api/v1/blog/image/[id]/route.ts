import { PostImageQuery, PostParams } from "@/lib/blog/contract";
import { getPostFigure, getPostImage } from "@/lib/blog/get-post-image";
import { imageFormat, imageResponse } from "@/lib/catalog/images/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "Show a post's image",
    description:
      "The post's picture as a square, or a figure of its text in its own proportions. AVIF, WebP or PNG, as the Accept header allows. Only the listed widths are served.",
    access: "public",
    params: PostParams,
    query: PostImageQuery,
    result: binary("image/avif"),
    errors: ["post_unknown"],
  },
  async ({ params, query, request }) => {
    const format = imageFormat(request.headers.get("accept"));
    const size = { width: query.width, format };
    const image = query.figure
      ? await getPostFigure(params.id, query.figure, size)
      : await getPostImage(params.id, size);
    return imageResponse(request, image, { format, v: query.v });
  },
);
