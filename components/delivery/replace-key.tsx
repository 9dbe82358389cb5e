"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/text-input";
import { REPLACEMENT_REASON_MAX } from "@/lib/delivery/rules";
import { api } from "@/lib/platform/api/client";
import { PassFormDialog } from "./pass-form-dialog";

/** Reports that a code does not work and requests a replacement. */
export function ReplaceKey({ libraryId }: { libraryId: string }) {
  const t = useTranslations("delivery.replace");
  const [open, setOpen] = useState(false);
  const send = (fields: FormData, networkMessage: string) => {
    const body = { library_id: libraryId, reason: String(fields.get("reason")) };
    return api.post("/library/replace", body, { networkMessage });
  };
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {t("button")}
      </Button>
      <PassFormDialog action="replace" open={open} onClose={() => setOpen(false)} send={send}>
        <TextArea
          label={t("reason")}
          hint={t("hint")}
          name="reason"
          required
          maxLength={REPLACEMENT_REASON_MAX}
        />
      </PassFormDialog>
    </>
  );
}
