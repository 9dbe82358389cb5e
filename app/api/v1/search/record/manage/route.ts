import { endpoint } from "@/lib/platform/api/endpoint";
import { Recorded, SearchRecord } from "@/lib/tracking/contract";
import { recordSearch } from "@/lib/tracking/record-search";

export const POST = endpoint(
  {
    summary: "Record a search",
    access: "public",
    body: SearchRecord,
    result: Recorded,
    errors: [],
    rate: [{ limit: 60, seconds: 60, by: "ip" }],
  },
  async ({ body, viewer }) => {
    await recordSearch(viewer, body);
    return { recorded: true };
  },
);
