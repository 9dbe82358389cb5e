"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { redirectAfterSignIn } from "@/components/accounts/sign-in/after-sign-in";
import type { Post } from "@/components/accounts/use-calls";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { showToastAfterNavigation } from "@/components/ui/toast";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import { ResetForm } from "./reset-form";

/** The password reset form. It signs the user in with the new password and redirects to the return address. */
export function ResetAndSignIn({ returnTo, email }: { returnTo: SignInReturn; email?: string }) {
  const t = useTranslations("accounts");
  const [done, setDone] = useState(false);

  function finish(signedIn: boolean, post: Post) {
    if (!signedIn) return setDone(true);
    showToastAfterNavigation(t("reset.done"), "good");
    return redirectAfterSignIn(returnTo, post, { added: t("login.added") });
  }

  if (!done) return <ResetForm email={email} onReset={finish} />;
  return (
    <Notice
      kind="good"
      live
      action={
        <ButtonLink href={`/login${returnTo.query}`} look="primary">
          {t("reset.login")}
        </ButtonLink>
      }
    >
      {t("reset.done_login")}
    </Notice>
  );
}
