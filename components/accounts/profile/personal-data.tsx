"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCalls } from "@/components/accounts/use-calls";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { showToast } from "@/components/ui/toast";
import { AccountDelete } from "./account-delete";
import { DialogRow, ProfileRow } from "./profile-row";

/** Export or delete the user's personal data (docs/product.md#72-accounts). */
export function PersonalData({ email }: { email: string }) {
  const t = useTranslations("accounts");
  const withReauthentication = useReauthentication();
  const { pending, run, post } = useCalls(useTranslations("errors")("network"));
  const [problem, setProblem] = useState<string>();

  async function download() {
    setProblem(undefined);
    const result = await withReauthentication(() => post("/auth/export", {}));
    if (!result.ok) return setProblem(result.message || undefined);
    saveFile(`passlane-${result.data.exported_at.slice(0, 10)}.json`, result.data);
    showToast(t("data.exported"), "good");
  }

  return (
    <>
      <div>
        <ProfileRow
          term={t("data.export")}
          note={t("data.export_text")}
          action={
            <Button
              aria-label={t("data.export")}
              pending={pending !== undefined}
              onClick={() => void run("export", download)}
            >
              {t("data.export_button")}
            </Button>
          }
        />
        {problem && (
          <div className="px-3 pb-3">
            <Notice kind="bad" title={problem} live />
          </div>
        )}
      </div>
      <DialogRow
        term={t("data.delete")}
        note={t("data.delete_text")}
        button={{ look: "danger", "aria-label": t("data.delete"), children: t("data.delete_button") }}
        title={t("data.delete_title")}
      >
        {(close) => <AccountDelete email={email} onCancel={close} />}
      </DialogRow>
    </>
  );
}

function saveFile(name: string, content: object): void {
  const file = new Blob([JSON.stringify(content, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
