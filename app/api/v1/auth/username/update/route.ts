import { UpdateUsernameInput, UsernameView } from "@/lib/accounts/profile/contract";
import { updateUsername } from "@/lib/accounts/profile/update-username";
import { endpoint } from "@/lib/platform/api/endpoint";

export const PUT = endpoint(
  {
    summary: "Change the name of the account",
    access: "user",
    body: UpdateUsernameInput,
    result: UsernameView,
    errors: ["username_invalid"],
  },
  ({ body, viewer }) => updateUsername(viewer, body),
);
