"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { downloadFile } from "@/components/console/download";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CopyButton } from "@/components/ui/copy-button";

/** Recovery codes, which are shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useTranslations("console.enter");
  const [isStored, setStored] = useState(false);
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-quiet">{t("recovery_text")}</p>
      <ul className="grid grid-cols-2 gap-x-8 gap-y-1 rounded-control border border-hairline bg-raised p-4 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton
          text={codes.join("\n")}
          labels={{ copy: t("copy_codes"), copied: t("copied"), failed: t("copy_failed") }}
        />
        <Button onClick={() => downloadFile(new Blob([`${codes.join("\n")}\n`]), "recovery-codes.txt")}>
          {t("download_codes")}
        </Button>
      </div>
      <Checkbox
        label={t("stored")}
        checked={isStored}
        onChange={(event) => setStored(event.target.checked)}
      />
      <Button look="primary" disabled={!isStored} onClick={onDone}>
        {t("continue")}
      </Button>
    </div>
  );
}
