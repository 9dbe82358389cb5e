import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import type { SignInProblem, SignInProviders } from "@/lib/accounts/social-sign-in/rules";
import type { AfterSignIn } from "./after-sign-in";
import { SocialSignIn } from "./social-sign-in";

/** The configured providers and the page that the user returns to after the sign-in. */
export type SignInProps = { providers: SignInProviders; returnTo: SignInReturn };
export type SocialProps = {
  providers: Omit<SignInProviders, "sandbox">;
  returnTo: AfterSignIn;
  labels: SocialLabels;
};

/** The configured sign-in providers below the form, with the terms that they imply. */
export function SocialSection({ providers, returnTo }: SignInProps) {
  const t = useTranslations("accounts");
  const labels = useSocialLabels(providers);
  if (!providers.google && !providers.github) return null;
  const lineClass = "h-px flex-1 bg-hairline";
  return (
    <div className="flex flex-col gap-5 pt-6">
      <p className="flex items-center gap-4 text-13 text-quiet">
        <span className={lineClass} />
        {t("social.or")}
        <span className={lineClass} />
      </p>
      <SocialSignIn providers={providers} returnTo={returnTo} labels={labels} />
      <p className="text-13 text-quiet">
        {t.rich("social.consent", {
          privacy: (text) => (
            <Link href="/privacy-policy" className="text-link">
              {text}
            </Link>
          ),
        })}
      </p>
    </div>
  );
}

/** Explains why the redirect from a provider did not sign the user in. */
export function SocialProblem({ problem }: { problem: SignInProblem }) {
  const t = useTranslations("accounts.social");
  return (
    <Notice kind={problem === "cancelled" ? "info" : "bad"} title={t(`problem.${problem}`)} className="mb-6">
      {t(`help.${problem}`)}
    </Notice>
  );
}

export type SocialLabels = ReturnType<typeof useSocialLabels>;

function useSocialLabels({ sandbox }: SignInProviders) {
  const t = useTranslations("accounts");
  const errors = useTranslations("errors");
  return {
    google: t(sandbox.google ? "social.google_sandbox" : "social.google"),
    googleFailed: t("social.google_failed"),
    github: t(sandbox.github ? "social.github_sandbox" : "social.github"),
    added: t("login.added"),
    network: errors("network"),
  };
}
