import { SessionSummary } from "@/lib/accounts/contract";
import { getSessionSummary } from "@/lib/accounts/queries";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Data of the header: the signed-in user and the number of cart items",
    access: "public",
    result: SessionSummary,
    errors: [],
  },
  ({ viewer }) => getSessionSummary(viewer),
);
