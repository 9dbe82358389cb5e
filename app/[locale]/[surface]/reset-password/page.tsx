import { ResetScreen } from "@/components/accounts/password-reset/reset-screen";
import { parseSignInReturn } from "@/lib/accounts/sign-in/rules";
import { type PageProps, pageTitle, queryValue, requirePageGuest } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("accounts.reset.reset_title", "ui.descriptions.reset_password");

/** Phones have /mobile/set-new-password instead (MOBILE_NAMES in lib/platform/routing/routes.ts). */
export default async function ResetPasswordPage(props: PageProps) {
  const location = await requirePageGuest(props);
  const returnTo = parseSignInReturn(await props.searchParams, location);
  return <ResetScreen reset returnTo={returnTo} email={await queryValue(props.searchParams, "email")} />;
}
