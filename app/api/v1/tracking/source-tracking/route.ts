import { endpoint } from "@/lib/platform/api/endpoint";
import { recordSource } from "@/lib/tracking/commands";
import { Recorded, SourceEvent } from "@/lib/tracking/contract";

export const POST = endpoint(
  {
    summary: "Record the source of a visit or of an order",
    access: "public",
    body: SourceEvent,
    result: Recorded,
    errors: [],
    rate: [{ limit: 60, seconds: 60, by: "ip" }],
  },
  async ({ body, viewer, ip }) => {
    await recordSource(viewer, body, ip);
    return { recorded: true };
  },
);
