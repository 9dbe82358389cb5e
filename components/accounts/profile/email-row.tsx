"use client";

import { useTranslations } from "next-intl";
import { DialogRow } from "./dialog-row";
import { EmailChange } from "./email-change";

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
