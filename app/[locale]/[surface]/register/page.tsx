import { RegisterScreen } from "@/components/accounts/register-screen";
import { getSignInWays } from "@/lib/accounts/queries-identity";
import { returnOf } from "@/lib/accounts/rules-return";
import { type PageProps, pageTitle, requirePageGuest } from "@/lib/page";

export const generateMetadata = pageTitle("accounts.register.title");

export default async function RegisterPage(props: PageProps) {
  const locale = await requirePageGuest(props, "desktop");
  const back = returnOf(await props.searchParams, { locale, surface: "desktop" });
  return <RegisterScreen back={back} ways={getSignInWays()} />;
}
