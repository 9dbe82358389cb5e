import { endpoint } from "@/lib/platform/api/endpoint";
import { Refreshed, SourceRefresh } from "@/lib/tracking/contract";
import { refreshSource } from "@/lib/tracking/record-source";

export const POST = endpoint(
  {
    summary: "Check whether a stored source is still valid",
    access: "public",
    body: SourceRefresh,
    result: Refreshed,
    errors: [],
    rate: [{ limit: 60, seconds: 60, by: "ip" }],
  },
  ({ body, viewer, ip }) => refreshSource(viewer, body, ip),
);
