"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ResetForm } from "@/components/accounts/password-reset/reset-form";
import type { NewLogin } from "@/components/accounts/password-reset/use-reset";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useNavigate } from "@/components/ui/link";
import { showToastAfterNavigation } from "@/components/ui/toast";
import { ProfileRow } from "./profile-row";

/** Shows whether a password is set and lets the user set a new one by an emailed code. */
export function PasswordRow({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const t = useTranslations("accounts");
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();

  /** The change ends all sessions, including this one. The user is signed in again with the new password. */
  async function finish({ email: user_email, password: user_password, post }: NewLogin) {
    const result = await post("/auth/login/email", { user_email, user_password });
    showToastAfterNavigation(t(result.ok ? "reset.done" : "reset.done_login"), "good");
    if (result.ok) location.reload();
    else navigate("/login?redirect=%2Fprofile", { replace: true });
    return "leaving";
  }

  return (
    <div>
      <ProfileRow
        term={t("signin.password")}
        value={t(hasPassword ? "signin.password_set" : "signin.password_none")}
        action={
          <Button
            look="quiet"
            aria-label={t(hasPassword ? "signin.change_password" : "signin.set")}
            onClick={() => setOpen(true)}
          >
            {t(hasPassword ? "profile.change" : "signin.set")}
          </Button>
        }
      />
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t(hasPassword ? "signin.change_password" : "signin.set")}
        closeLabel={t("profile.close")}
      >
        <p className="wrap-anywhere text-quiet">{t("signin.password_text", { email })}</p>
        <ResetForm signedInEmail={email} onReset={finish} />
      </Dialog>
    </div>
  );
}
