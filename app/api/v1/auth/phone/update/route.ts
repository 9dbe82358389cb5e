import { PhoneView, UpdatePhoneInput } from "@/lib/accounts/profile/contract";
import { updatePhone } from "@/lib/accounts/profile/update-phone";
import { endpoint } from "@/lib/platform/api/endpoint";

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
