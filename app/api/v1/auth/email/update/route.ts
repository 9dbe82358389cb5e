import { updateEmail } from "@/lib/accounts/profile/commands";
import { EmailUpdated, UpdateEmailInput } from "@/lib/accounts/profile/contract";
import { withCookies } from "@/lib/platform/api/answer";
import { endpoint } from "@/lib/platform/api/endpoint";
import { deviceName } from "@/lib/platform/auth/device-name";

export const POST = endpoint(
  {
    summary: "Give the account another e-mail, proved by a code that was mailed to it",
    description:
      "Needs a proof of the last 15 minutes (`/auth/reauthenticate`). Other devices are signed out; this one goes on with the tokens and the cookie of the answer.",
    access: "user",
    body: UpdateEmailInput,
    result: EmailUpdated,
    errors: [
      "reauthentication_required",
      "code_wrong",
      "code_expired",
      "code_used_up",
      "email_in_use",
      "email_invalid",
    ],
    rate: [{ limit: 30, seconds: 3600, by: "user" }],
    closed: true,
    replay: false,
  },
  async ({ body, viewer, request }) => {
    const device = deviceName(request.headers.get("user-agent"));
    const { response: answer, cookie } = await updateEmail(viewer, body, device);
    return withCookies(answer, [cookie]);
  },
);
