import { updatePhone } from "@/lib/accounts/commands-profile";
import { PhoneView, UpdatePhoneInput } from "@/lib/accounts/contract-account";
import { endpoint } from "@/lib/endpoint";

export const POST = endpoint(
  {
    summary: "Set the phone number of the account; an empty one removes it",
    access: "user",
    body: UpdatePhoneInput,
    result: PhoneView,
    errors: ["phone_invalid"],
  },
  ({ body, viewer, locale }) => updatePhone(viewer, body, locale),
);
