import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import type { SignInProviders } from "@/lib/accounts/social-sign-in/rules";
import { AuthLayout } from "./auth-layout";
import { LoginForm } from "./login-form";
import { SocialProblem, SocialSection } from "./social-section";

/** The login page (docs/product.md#21-pages). */
export function LoginScreen({ back, ways }: { back: SignInReturn; ways: SignInProviders }) {
  const t = useTranslations("accounts");
  const errors = useTranslations("errors");
  const labels = {
    email: t("field.email"),
    password: t("field.password"),
    forgot: t("login.forgot"),
    show: t("field.show"),
    hide: t("field.hide"),
    submit: t("login.submit"),
    check: t("login.check"),
    wait: t("login.wait"),
    waitSaid: t("login.wait_said"),
    day: t("code.day"),
    added: t("login.added"),
    emailInvalid: errors("email_invalid"),
    passwordMissing: t("missing.password"),
    network: errors("network"),
  };
  return (
    <AuthLayout
      title={t("login.title")}
      lead={t(back.add ? "login.lead_add" : "login.lead")}
      other={
        <>
          <span className="text-quiet">{t("login.question")}</span>
          <Link href={`/register${back.query}`} className="text-link flex min-h-11 items-center font-medium">
            {t("login.register")}
          </Link>
        </>
      }
    >
      {back.problem && <SocialProblem problem={back.problem} />}
      <LoginForm labels={labels} back={back} />
      <SocialSection ways={ways} back={back} />
    </AuthLayout>
  );
}
