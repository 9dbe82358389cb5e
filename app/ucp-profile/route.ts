import { businessProfile } from "@/lib/agents/ucp/business-profile";

export const dynamic = "force-dynamic";

/** What the shop speaks and where; requested as /.well-known/ucp (next.config.ts). */
export function GET(): Response {
  return Response.json(businessProfile(), {
    headers: { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" },
  });
}
