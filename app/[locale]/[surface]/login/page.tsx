import { LoginScreen } from "@/components/accounts/sign-in/login-screen";
import { parseSignInReturn } from "@/lib/accounts/sign-in/rules";
import { getSignInProviders } from "@/lib/accounts/social-sign-in/get-sign-in-providers";
import { type PageProps, pageTitle, requirePageGuest } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("accounts.login.title", "ui.descriptions.login");

export default async function LoginPage(props: PageProps) {
  const location = await requirePageGuest(props);
  const returnTo = parseSignInReturn(await props.searchParams, location);
  return <LoginScreen returnTo={returnTo} providers={getSignInProviders()} />;
}
