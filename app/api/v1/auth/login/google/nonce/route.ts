import { GoogleNonce } from "@/lib/accounts/social-sign-in/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { createGoogleNonce } from "@/lib/platform/auth/google";

export const POST = endpoint(
  {
    summary: "Request the nonce of a login with Google",
    description: "The page passes it to Google's script. A cookie binds it to this browser for an hour.",
    access: "public",
    whileClosed: true,
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
