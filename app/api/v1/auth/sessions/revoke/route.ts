import { RevokeSessionsInput, SessionsRevoked } from "@/lib/accounts/devices/contract";
import { revokeSessions } from "@/lib/accounts/devices/revoke-sessions";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { expiredSessionCookie } from "@/lib/platform/auth/session";

export const POST = endpoint(
  {
    summary: "Sign out one device, all others, or all",
    description: "Exactly one of `session_id`, `all_others` and `all`.",
    access: "user",
    body: RevokeSessionsInput,
    result: SessionsRevoked,
    errors: ["session_unknown", "field_required"],
  },
  async ({ body, viewer }) => {
    const answer = await revokeSessions(viewer, body);
    return withCookies(answer, answer.signed_out ? [expiredSessionCookie()] : []);
  },
);
