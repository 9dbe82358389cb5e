import { EmailUpdated, UpdateEmailInput } from "@/lib/accounts/profile/contract";
import { updateEmail } from "@/lib/accounts/profile/update-email";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { deviceName } from "@/lib/platform/auth/device-name";
import { CODE_ERRORS } from "@/lib/platform/errors";

export const POST = endpoint(
  {
    summary: "Change the account's email, verified with a code that was sent to it",
    description:
      "Requires a reauthentication within the last 15 minutes (`/auth/reauthenticate`). Other devices are signed out. This one continues with the tokens and the cookie of the response.",
    access: "user",
    body: UpdateEmailInput,
    result: EmailUpdated,
    errors: ["reauthentication_required", ...CODE_ERRORS, "email_in_use", "email_invalid"],
    rate: [{ limit: 30, seconds: 3600, by: "user" }],
    failClosed: true,
    replay: false,
  },
  async ({ body, viewer, request }) => {
    const device = deviceName(request.headers.get("user-agent"));
    const { response: answer, cookie } = await updateEmail(viewer, body, device);
    return withCookies(answer, [cookie]);
  },
);
