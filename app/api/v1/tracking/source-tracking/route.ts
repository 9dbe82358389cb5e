import { endpoint } from "@/lib/platform/api/endpoint";
import { Recorded, SourceEvent } from "@/lib/tracking/contract";
import { recordSource } from "@/lib/tracking/record-source";

export const POST = endpoint(
  {
    summary: "Record the source of a visit or of an order",
    description:
      "At most once in two seconds per visitor; `recorded` is false for a report that was left out.",
    access: "public",
    body: SourceEvent,
    result: Recorded,
    errors: [],
    rate: [{ limit: 60, seconds: 60, by: "ip" }],
  },
  ({ body, viewer, ip, request }) =>
    recordSource(viewer, body, { ip, userAgent: request.headers.get("user-agent") }),
);
