import { RegisterScreen } from "@/components/accounts/registration/register-screen";
import { parseSignInReturn } from "@/lib/accounts/sign-in/rules";
import { getSignInProviders } from "@/lib/accounts/social-sign-in/get-sign-in-providers";
import { type PageProps, pageTitle, requirePageGuest } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("accounts.register.title", "ui.descriptions.register");

export default async function RegisterPage(props: PageProps) {
  const location = await requirePageGuest(props);
  const returnTo = parseSignInReturn(await props.searchParams, location);
  return <RegisterScreen returnTo={returnTo} providers={getSignInProviders()} />;
}
