import { revokeSessions } from "@/lib/accounts/commands-devices";
import { RevokeSessionsInput, SessionsRevoked } from "@/lib/accounts/contract-sessions";
import { endpoint, withCookies } from "@/lib/endpoint";
import { endedCookie } from "@/lib/session";

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
    return withCookies(answer, answer.signed_out ? [endedCookie()] : []);
  },
);
