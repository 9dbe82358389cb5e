import { ImageParams } from "@/lib/catalog/console/contract-editor";
import { ProductImageQuery } from "@/lib/catalog/contract";
import { findImage } from "@/lib/catalog/images/render-image";
import { imageFormat, imageResponse } from "@/lib/catalog/images/rules";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "Show an uploaded picture before a product has it",
    description: "AVIF, WebP or PNG, as the Accept header allows. Only the listed widths are served.",
    access: merchant("products.read", { anyOf: true }),
    params: ImageParams,
    query: ProductImageQuery,
    result: binary("image/avif"),
    errors: ["image_unknown"],
  },
  async ({ params, query, request }) => {
    const format = imageFormat(request.headers.get("accept"));
    const image = await findImage(params.hash, { width: query.width, format });
    return imageResponse(request, image, { format, v: query.v });
  },
);
