import { endpoint } from "@/lib/platform/api/endpoint";
import document from "@/lib/platform/api/merchant-openapi.json";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "The OpenAPI document of the calls for merchants",
    access: "public",
    result: binary("application/vnd.oai.openapi+json"),
    errors: [],
    hidden: true,
  },
  () =>
    new Response(JSON.stringify(document), {
      headers: { "Content-Type": "application/vnd.oai.openapi+json", "Cache-Control": "public, max-age=300" },
    }),
);
