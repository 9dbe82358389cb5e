import { ProductImageQuery, ProductParams } from "@/lib/catalog/contract";
import { getProductImage } from "@/lib/catalog/images/render-image";
import { imageFormat, imageResponse } from "@/lib/catalog/images/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "Show a product's image",
    description: "AVIF, WebP or PNG, as the Accept header allows. Only the listed widths are served.",
    access: "public",
    params: ProductParams,
    query: ProductImageQuery,
    result: binary("image/avif"),
    errors: ["product_unknown"],
  },
  async ({ params, query, request }) => {
    const format = imageFormat(request.headers.get("accept"));
    const image = await getProductImage(params.id, { width: query.width, format });
    return imageResponse(request, image, { format, v: query.v });
  },
);
