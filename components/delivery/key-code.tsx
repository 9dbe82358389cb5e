"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeBox } from "@/components/ui/code-box";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";

/**
 * A code of the signed-in user, masked until it is revealed. Each reveal is recorded. `needsConsent`: the code lies
 * unseen by choice, so a dialog asks for the consent before the first reveal.
 */
export function KeyCode({
  libraryId,
  masked,
  needsConsent,
}: {
  libraryId: string;
  masked: string;
  needsConsent: boolean;
}) {
  const router = useRouter();
  const [code, setCode] = useState<string>();
  const [asking, setAsking] = useState(false);
  const t = useTranslations("delivery.code");
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));

  async function reveal() {
    const result = await run((options) => api.post("/library/reveal", { library_id: libraryId }, options));
    setAsking(false);
    if (!result.ok) return;
    setCode(result.data.code);
    router.refresh(); // The pass's clock has started.
  }

  return (
    <div className="flex flex-col gap-2">
      <CodeBox
        masked={masked}
        code={code}
        pending={pending}
        labels={{
          label: t("label"),
          reveal: t("reveal"),
          copy: t("copy"),
          copied: t("copied"),
          failed: t("failed"),
        }}
        onReveal={() => (needsConsent ? setAsking(true) : void reveal())}
      />
      <ErrorNotice>{problem}</ErrorNotice>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t("consent_title")}
        closeLabel={t("close")}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t("cancel")}</Button>
            <Button look="primary" pending={pending} onClick={reveal}>
              {t("reveal")}
            </Button>
          </>
        }
      >
        <p>{t("consent_text")}</p>
      </Dialog>
    </div>
  );
}
