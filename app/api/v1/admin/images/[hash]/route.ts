import { ImageParams, StoredImageQuery } from "@/lib/catalog/console/contract-editor";
import { findImage } from "@/lib/catalog/images/render-image";
import { imageFormat, imageResponse } from "@/lib/catalog/images/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Show a stored picture, also before a product or a post has it",
    description:
      "AVIF, WebP or PNG, as the Accept header allows. Only the listed widths are served. `shape=figure` keeps its proportions.",
    access: staff("products.read"),
    params: ImageParams,
    query: StoredImageQuery,
    result: binary("image/avif"),
    errors: ["image_unknown"],
  },
  async ({ params, query, request }) => {
    const format = imageFormat(request.headers.get("accept"));
    const image = await findImage(params.hash, { width: query.width, format }, query.shape);
    return imageResponse(request, image, { format, v: query.v });
  },
);
