import { endpoint } from "@/lib/platform/api/endpoint";
import { OPENAPI_TYPE, openApiResponse } from "@/lib/platform/api/openapi-files";
import { binary } from "@/lib/platform/api/response";
import { anyStaff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The OpenAPI document of the calls for staff",
    access: anyStaff,
    result: binary(OPENAPI_TYPE),
    errors: [],
    hidden: true,
  },
  () => openApiResponse("staff"),
);
