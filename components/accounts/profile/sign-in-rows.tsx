"use client";

import { useTranslations } from "next-intl";
import { ResetForm } from "@/components/accounts/password-reset/reset-form";
import { useNavigate } from "@/components/ui/link";
import { showToastAfterNavigation } from "@/components/ui/toast";
import { EmailChange } from "./email-change";
import { DialogRow } from "./profile-row";

/** Shows whether a password is set and lets the user set a new one by an emailed code. */
export function PasswordRow({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const t = useTranslations("accounts");
  const navigate = useNavigate();

  /** The change ends all sessions, including this one. The user is signed in again with the new password. */
  function finish(signedIn: boolean) {
    showToastAfterNavigation(t(signedIn ? "reset.done" : "reset.done_login"), "good");
    if (signedIn) location.reload();
    else navigate("/login?redirect=%2Fprofile", { replace: true });
    return "leaving";
  }

  const title = t(hasPassword ? "signin.change_password" : "signin.set");
  return (
    <DialogRow
      term={t("signin.password")}
      value={t(hasPassword ? "signin.password_set" : "signin.password_none")}
      button={{ "aria-label": title, children: t(hasPassword ? "profile.change" : "signin.set") }}
      title={title}
    >
      {() => (
        <>
          <p className="wrap-anywhere text-quiet">{t("signin.password_text", { email })}</p>
          <ResetForm signedInEmail={email} onReset={finish} />
        </>
      )}
    </DialogRow>
  );
}

/** The account's email, its verification status and the control to change it. */
export function EmailRow({ email, verified }: { email: string; verified: boolean }) {
  const t = useTranslations("accounts");
  return (
    <DialogRow
      term={t("field.email")}
      value={
        <>
          {email}{" "}
          <span className={`inline-block text-13 ${verified ? "text-good" : "text-warn"}`}>
            {t(verified ? "profile.verified" : "profile.unverified")}
          </span>
        </>
      }
      button={{
        "aria-label": t("profile.change_named", { name: t("field.email") }),
        children: t("profile.change"),
      }}
      title={t("email_change.title")}
    >
      {(close) => <EmailChange email={email} onDone={close} />}
    </DialogRow>
  );
}
