import { LoginInput, SignedIn } from "@/lib/accounts/contract";
import { logIn } from "@/lib/accounts/sign-in/log-in";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { deviceName } from "@/lib/platform/auth/device-name";

export const POST = endpoint(
  {
    summary: "Log in with email and password",
    access: "public",
    whileClosed: true,
    body: LoginInput,
    result: SignedIn,
    errors: ["login_failed", "too_many_tries", "email_invalid"],
    rate: [{ limit: 100, seconds: 900, by: "ip" }],
    failClosed: true,
    replay: false,
  },
  async ({ body, viewer, request, ip }) => {
    const device = deviceName(request.headers.get("user-agent"));
    const { response: answer, cookie } = await logIn(viewer, body, { device, ip });
    return withCookies(answer, [cookie]);
  },
);
