import { ResetScreen } from "@/components/accounts/password-reset/reset-screen";
import { parseSignInReturn } from "@/lib/accounts/sign-in/rules";
import { type PageProps, pageTitle, queryValue, requirePageGuest } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("accounts.reset.reset_title");

/** Its mobile twin is /mobile/set-new-password (spec §2). */
export default async function ResetPasswordPage(props: PageProps) {
  const locale = await requirePageGuest(props, "desktop");
  const back = parseSignInReturn(await props.searchParams, { locale, surface: "desktop" });
  return <ResetScreen reset back={back} email={await queryValue(props.searchParams, "email")} />;
}
