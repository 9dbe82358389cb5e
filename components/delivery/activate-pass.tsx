"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { TextInput } from "@/components/ui/text-input";
import { api } from "@/lib/platform/api/client";
import { PassFormDialog } from "./pass-form-dialog";

/** Formats a date as local minutes in the browser's time zone, such as "2026-11-21T09:30". */
function localMinute(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** Asks when a pass was activated. Its clock runs from that time. */
export function ActivatePass({ libraryId, activatedAt }: { libraryId: string; activatedAt: string | null }) {
  const t = useTranslations("delivery.activate");
  const [openedAt, setOpenedAt] = useState<Date>();
  const send = (fields: FormData, networkMessage: string) => {
    const at = String(fields.get("at"));
    // The current minute is sent as "now" with second precision. Any other minute is sent explicitly.
    const activation = at === localMinute(new Date()) ? {} : { activated_at: new Date(at).toISOString() };
    return api.post("/library/activate", { library_id: libraryId, ...activation }, { networkMessage });
  };
  return (
    <>
      <Button look="quiet" onClick={() => setOpenedAt(new Date())}>
        {activatedAt ? t("change") : t("button")}
      </Button>
      <PassFormDialog
        action="activate"
        open={openedAt !== undefined}
        onClose={() => setOpenedAt(undefined)}
        send={send}
      >
        {openedAt && (
          <TextInput
            label={t("at")}
            name="at"
            type="datetime-local"
            required
            defaultValue={localMinute(activatedAt ? new Date(activatedAt) : openedAt)}
            max={localMinute(openedAt)}
          />
        )}
        <p className="text-13 text-quiet">{t("used")}</p>
      </PassFormDialog>
    </>
  );
}
