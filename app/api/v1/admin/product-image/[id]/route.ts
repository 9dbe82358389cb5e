import { ProductImageQuery, ProductParams } from "@/lib/catalog/contract";
import { getProductImage } from "@/lib/catalog/images/queries";
import { imageFormat, isNotModified } from "@/lib/catalog/images/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "Show a product's picture",
    description: "AVIF, WebP or PNG, as the Accept header allows. Only the listed widths are served.",
    access: "public",
    params: ProductParams,
    query: ProductImageQuery,
    result: binary("image/avif"),
    errors: ["product_unknown"],
  },
  async ({ params, query, request }) => {
    const format = imageFormat(request.headers.get("accept"));
    const { bytes, etag, version } = await getProductImage(params.id, { width: query.width, format });
    const headers = {
      "content-type": `image/${format}`,
      "cache-control": query.v === version ? "public, max-age=31536000, immutable" : "public, max-age=3600",
      etag,
      vary: "Accept",
      "x-content-type-options": "nosniff",
    };
    if (isNotModified(request.headers.get("if-none-match"), etag))
      return new Response(null, { status: 304, headers });
    return new Response(new Uint8Array(bytes), { headers });
  },
);
