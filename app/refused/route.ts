import { currentRequest } from "@/lib/platform/request-scope";

export const dynamic = "force-dynamic";

/** Sends what lib/platform/http/prepare-requests.ts has decided in place of a page or a call. */
export function GET(): Response {
  const refusal = currentRequest()?.refusal;
  return refusal ? new Response(refusal.body || null, refusal) : new Response("Not found", { status: 404 });
}
