import { endpoint } from "@/lib/platform/api/endpoint";
import { OPENAPI_TYPE, openApiResponse } from "@/lib/platform/api/openapi-files";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "The OpenAPI document of the calls for merchants",
    access: "public",
    result: binary(OPENAPI_TYPE),
    errors: [],
    hidden: true,
  },
  () => openApiResponse("merchants"),
);
