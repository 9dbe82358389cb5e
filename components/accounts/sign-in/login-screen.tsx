import { useTranslations } from "next-intl";
import { parsePath } from "@/lib/platform/routing/paths";
import { AuthLayout } from "./auth-layout";
import { LoginForm } from "./login-form";
import { type SignInProps, SocialProblem, SocialSection } from "./social-section";

/** The login page (docs/product.md#21-pages). */
export function LoginScreen({ returnTo, providers }: SignInProps) {
  const t = useTranslations("accounts");
  return (
    <AuthLayout
      title={t("login.title")}
      lead={t(
        returnTo.add ? "login.lead_add" : isCheckout(returnTo.target) ? "login.lead_order" : "login.lead",
      )}
      other={{
        question: t("login.question"),
        text: t("login.register"),
        href: `/register${returnTo.query}`,
      }}
    >
      {returnTo.problem && <SocialProblem problem={returnTo.problem} />}
      <LoginForm labels={useLoginLabels()} returnTo={returnTo} />
      <SocialSection providers={providers} returnTo={returnTo} />
    </AuthLayout>
  );
}

/** A session that ended at the checkout leads here: its order is kept. */
const isCheckout = (target: string) => parsePath(target.split("?", 1)[0] ?? "").path === "/checkout";

export type LoginLabels = ReturnType<typeof useLoginLabels>;

function useLoginLabels() {
  const t = useTranslations("accounts");
  const errors = useTranslations("errors");
  return {
    email: t("field.email"),
    password: t("field.password"),
    forgot: t("login.forgot"),
    show: t("field.show"),
    hide: t("field.hide"),
    submit: t("login.submit"),
    check: t("login.check"),
    wait: t("login.wait"),
    waitSpoken: t("login.wait_said"),
    day: t("code.day"),
    added: t("login.added"),
    emailInvalid: errors("email_invalid"),
    passwordMissing: t("missing.password"),
    network: errors("network"),
  };
}
