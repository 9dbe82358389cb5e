import { RegisterDirectlyInput, SignedIn } from "@/lib/accounts/contract";
import { registerDirectly } from "@/lib/accounts/registration/register";
import { logIn } from "@/lib/accounts/sign-in/log-in";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { deviceName } from "@/lib/platform/auth/device-name";
import { REGISTRATION_ERRORS } from "@/lib/platform/errors";

export const POST = endpoint(
  {
    summary: "Create an account without a code; its email is not verified yet",
    access: "public",
    body: RegisterDirectlyInput,
    result: SignedIn,
    errors: [...REGISTRATION_ERRORS],
    rate: [{ limit: 20, seconds: 3600, by: "ip" }],
    failClosed: true,
    replay: false,
  },
  async ({ body, viewer, request, repeated, ip }) => {
    const device = deviceName(request.headers.get("user-agent"));
    const { response: answer, cookie } = repeated
      ? await logIn(viewer, body, { device, ip })
      : await registerDirectly(viewer, body, { device, ip });
    return withCookies(answer, [cookie]);
  },
);
