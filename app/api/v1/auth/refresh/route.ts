import { RefreshInput, SignedIn } from "@/lib/accounts/contract";
import { refresh } from "@/lib/accounts/sign-in/open-session";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Exchange a refresh token for new tokens",
    description: "A refresh token works once, and again for 10 seconds; used later, it ends the session.",
    access: "public",
    whileClosed: true,
    body: RefreshInput,
    result: SignedIn,
    errors: ["session_ended"],
    rate: [{ limit: 300, seconds: 900, by: "ip" }],
    failClosed: true,
    replay: false,
  },
  ({ body }) => refresh(body),
);
