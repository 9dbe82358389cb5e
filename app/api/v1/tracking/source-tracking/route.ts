import { endpoint } from "@/lib/platform/api/endpoint";
import { recordSource } from "@/lib/tracking/commands";
import { Recorded, SourceEvent } from "@/lib/tracking/contract";

export const POST = endpoint(
  {
    summary: "Note where a visit came from, or that an order is on its way",
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
