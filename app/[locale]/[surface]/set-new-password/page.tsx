import { ResetScreen } from "@/components/accounts/password-reset/reset-screen";
import { parseSignInReturn } from "@/lib/accounts/sign-in/rules";
import { type PageProps, pageTitle, queryValue, requirePageGuest } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("accounts.reset.title", "ui.descriptions.set_new_password");

export default async function SetNewPasswordPage(props: PageProps) {
  const location = await requirePageGuest(props);
  const returnTo = parseSignInReturn(await props.searchParams, location);
  return <ResetScreen returnTo={returnTo} email={await queryValue(props.searchParams, "email")} />;
}
