import { SignedIn } from "@/lib/accounts/contract";
import { GoogleLoginInput } from "@/lib/accounts/social-sign-in/contract";
import { logInWithGoogle } from "@/lib/accounts/social-sign-in/log-in-with-google";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { deviceName } from "@/lib/platform/auth/device-name";

export const POST = endpoint(
  {
    summary: "Log in with Google",
    description:
      "Accepts the ID token from Google's script. Google must have verified its email. It signs in to the account with that email or creates one. A token with a nonce is valid only with the cookie of that nonce. Every token is valid once.",
    access: "public",
    whileClosed: true,
    body: GoogleLoginInput,
    result: SignedIn,
    errors: ["login_failed", "sign_in_unavailable"],
    rate: [{ limit: 100, seconds: 900, by: "ip" }],
    failClosed: true,
    replay: false,
  },
  async ({ body, viewer, request, ip, repeated }) => {
    const device = deviceName(request.headers.get("user-agent"));
    const call = { device, ip, cookie: request.headers.get("cookie"), repeated };
    const { response: answer, cookies } = await logInWithGoogle(viewer, body, call);
    return withCookies(answer, cookies);
  },
);
