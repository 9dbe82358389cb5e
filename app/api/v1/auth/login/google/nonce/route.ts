import { GoogleNonce } from "@/lib/accounts/social-sign-in/contract";
import { withCookies } from "@/lib/platform/api/answer";
import { endpoint } from "@/lib/platform/api/endpoint";
import { createGoogleNonce } from "@/lib/platform/auth/google";

export const POST = endpoint(
  {
    summary: "Ask for the nonce of a log-in with Google",
    description: "The page hands it to Google's script; a cookie binds it to this browser for an hour.",
    access: "public",
    result: GoogleNonce,
    errors: ["sign_in_unavailable"],
    rate: [{ limit: 300, seconds: 900, by: "ip" }],
    replay: false,
  },
  ({ request }) => {
    const { nonce, cookie } = createGoogleNonce(request.headers.get("cookie"));
    return withCookies({ nonce }, [cookie]);
  },
);
