import { useTranslations } from "next-intl";
import { AuthLayout } from "@/components/accounts/sign-in/auth-layout";
import { SocialSection } from "@/components/accounts/sign-in/social-section";
import { Link } from "@/components/ui/link";
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
      stub={
        <>
          <span className="text-quiet">{t("register.question")}</span>
          <Link href={`/login${returnTo.query}`} className="text-link flex min-h-11 items-center font-medium">
            {t("register.login")}
          </Link>
        </>
      }
    >
      <RegisterForm labels={useRegisterLabels()} returnTo={returnTo} />
      <SocialSection providers={providers} returnTo={returnTo} />
    </AuthLayout>
  );
}
