import { SignInForm } from "@/lib/accounts/sign-in/contract";
import { getSignInForm } from "@/lib/accounts/sign-in/get-sign-in-form";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The sign-in providers and the texts of the form that signs a reader in on any page",
    access: "public",
    result: SignInForm,
    errors: [],
  },
  async ({ locale }) => getSignInForm(locale),
);
