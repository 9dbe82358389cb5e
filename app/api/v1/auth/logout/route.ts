import { z } from "zod";
import { logOut } from "@/lib/accounts/sign-in/open-session";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { expiredSessionCookie } from "@/lib/platform/auth/session";

export const POST = endpoint(
  {
    summary: "End this session; its tokens are invalid immediately",
    description: "Succeeds without a session too.",
    access: "public",
    whileClosed: true,
    result: z.null(),
    errors: [],
  },
  async ({ viewer, request }) => {
    await logOut(viewer, request.headers.get("authorization"));
    return withCookies(null, [expiredSessionCookie()]);
  },
);
