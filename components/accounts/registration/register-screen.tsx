import { useTranslations } from "next-intl";
import { AuthLayout } from "@/components/accounts/sign-in/auth-layout";
import { SocialSection } from "@/components/accounts/sign-in/social-section";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import type { SignInProviders } from "@/lib/accounts/social-sign-in/rules";
import { RegisterForm } from "./register-form";
import { useRegisterLabels } from "./use-register-labels";

/** The registration page (docs/product.md#21-pages). */
export function RegisterScreen({
  returnTo,
  providers,
}: {
  returnTo: SignInReturn;
  providers: SignInProviders;
}) {
  const t = useTranslations("accounts");
  return (
    <AuthLayout
      title={t("register.title")}
      lead={t(returnTo.add ? "register.lead_add" : "register.lead")}
      other={{
        question: t("register.question"),
        text: t("register.login"),
        href: `/login${returnTo.query}`,
      }}
    >
      <RegisterForm labels={useRegisterLabels()} returnTo={returnTo} />
      <SocialSection providers={providers} returnTo={returnTo} />
    </AuthLayout>
  );
}
