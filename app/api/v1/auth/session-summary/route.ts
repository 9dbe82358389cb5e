import { SessionSummary } from "@/lib/accounts/contract";
import { getSessionSummary } from "@/lib/accounts/get-session-summary";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { expiredSessionCookie, isAccountMissing } from "@/lib/platform/auth/session";

export const GET = endpoint(
  {
    summary: "Data of the header: the signed-in user and the number of cart items",
    description: "Removes the session cookie of a deleted account.",
    access: "public",
    result: SessionSummary,
    errors: [],
  },
  async ({ viewer, request }) => {
    const summary = await getSessionSummary(viewer);
    const cookie = request.headers.get("cookie");
    return viewer.kind === "guest" && (await isAccountMissing({ cookie }))
      ? withCookies(summary, [expiredSessionCookie()])
      : summary;
  },
);
