import { updateUsername } from "@/lib/accounts/commands-profile";
import { UpdateUsernameInput, UsernameView } from "@/lib/accounts/contract-account";
import { endpoint } from "@/lib/endpoint";

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
