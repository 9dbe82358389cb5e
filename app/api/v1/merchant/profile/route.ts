import { MerchantProfile, ProfileInput } from "@/lib/merchants/profile/contract";
import { getProfile } from "@/lib/merchants/profile/get-profile";
import { saveProfile } from "@/lib/merchants/profile/save-profile";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The profile of the merchant",
    access: merchant("profile.read"),
    result: MerchantProfile,
    errors: [],
  },
  ({ viewer }) => getProfile(viewer),
);

export const POST = endpoint(
  {
    summary: "Change the profile",
    description:
      "The whole profile. Texts go through the translation gate of the catalogue. `revision` is the one that was read: after another change since then the call is refused.",
    access: merchant("profile.write"),
    body: ProfileInput,
    result: MerchantProfile,
    errors: ["email_invalid", "revision_conflict"],
  },
  ({ viewer, body, locale }) => saveProfile(viewer, body, locale),
);
