import { SignedIn } from "@/lib/accounts/contract";
import { logInWithGoogle } from "@/lib/accounts/social-sign-in/commands";
import { GoogleLoginInput } from "@/lib/accounts/social-sign-in/contract";
import { withCookies } from "@/lib/platform/api/answer";
import { endpoint } from "@/lib/platform/api/endpoint";
import { deviceName } from "@/lib/platform/auth/device-name";

export const POST = endpoint(
  {
    summary: "Log in with Google",
    description:
      "Takes the id token that Google's script gave to the page. Its address must be one that Google has verified: it joins the account of that address, or opens one. A token with a nonce is good only with the cookie of that nonce; every token is good once.",
    access: "public",
    body: GoogleLoginInput,
    result: SignedIn,
    errors: ["login_failed", "sign_in_unavailable"],
    rate: [{ limit: 100, seconds: 900, by: "ip" }],
    closed: true,
    replay: false,
  },
  async ({ body, viewer, request, ip, repeated }) => {
    const device = deviceName(request.headers.get("user-agent"));
    const call = { device, ip, cookie: request.headers.get("cookie"), repeated };
    const { response: answer, cookies } = await logInWithGoogle(viewer, body, call);
    return withCookies(answer, cookies);
  },
);
