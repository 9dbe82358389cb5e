import { SessionSummary } from "@/lib/accounts/contract";
import { getSessionSummary } from "@/lib/accounts/queries";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "What the header shows: who is signed in, and how much is in the cart",
    access: "public",
    result: SessionSummary,
    errors: [],
  },
  ({ viewer }) => getSessionSummary(viewer),
);
