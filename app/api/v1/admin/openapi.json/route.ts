import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import document from "@/lib/platform/api/staff-openapi.json";
import { anyStaff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The OpenAPI document of the calls for staff",
    access: anyStaff,
    result: binary("application/vnd.oai.openapi+json"),
    errors: [],
    hidden: true,
  },
  () =>
    new Response(JSON.stringify(document), {
      headers: { "Content-Type": "application/vnd.oai.openapi+json", "Cache-Control": "private, no-store" },
    }),
);
