import { endpoint } from "@/lib/platform/api/endpoint";
import { attributionOfCall } from "@/lib/platform/http/landing-cookie";
import { Recorded, VisitRecord } from "@/lib/tracking/contract";
import { recordVisit } from "@/lib/tracking/record-visit";

export const POST = endpoint(
  {
    summary: "Record a page visit",
    access: "public",
    body: VisitRecord,
    result: Recorded,
    errors: [],
    rate: [{ limit: 120, seconds: 60, by: "ip" }],
  },
  async ({ body, ip, attribution, request }) => {
    await recordVisit(body, ip, attributionOfCall(attribution, request.headers)?.source);
    return { recorded: true };
  },
);
