import { LoginScreen } from "@/components/accounts/login-screen";
import { getSignInWays } from "@/lib/accounts/queries-identity";
import { returnOf } from "@/lib/accounts/rules-return";
import { type PageProps, pageTitle, requirePageGuest } from "@/lib/page";

export const generateMetadata = pageTitle("accounts.login.title");

export default async function LoginPage(props: PageProps) {
  const locale = await requirePageGuest(props, "desktop");
  const back = returnOf(await props.searchParams, { locale, surface: "desktop" });
  return <LoginScreen back={back} ways={getSignInWays()} />;
}
