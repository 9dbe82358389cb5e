"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { EmailChange } from "./email-change";
import { ProfileRow } from "./profile-row";

/** The account's email, its verification status and the control to change it. */
export function EmailRow({ email, verified }: { email: string; verified: boolean }) {
  const t = useTranslations("accounts");
  const [open, setOpen] = useState(false);
  return (
    <div>
      <ProfileRow
        term={t("field.email")}
        value={
          <>
            {email}{" "}
            <span className={`inline-block text-13 ${verified ? "text-good" : "text-warn"}`}>
              {t(verified ? "profile.verified" : "profile.unverified")}
            </span>
          </>
        }
        action={
          <Button
            look="quiet"
            aria-label={t("profile.change_named", { name: t("field.email") })}
            onClick={() => setOpen(true)}
          >
            {t("profile.change")}
          </Button>
        }
      />
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t("email_change.title")}
        closeLabel={t("profile.close")}
      >
        <EmailChange email={email} onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}
