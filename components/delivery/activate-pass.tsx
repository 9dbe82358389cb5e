"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";

/** Formats a date as local minutes in the browser's time zone, such as "2026-11-21T09:30". */
function localMinute(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** Asks when a pass was activated. Its clock runs from that time. */
export function ActivatePass({ libraryId, activatedAt }: { libraryId: string; activatedAt: string | null }) {
  const router = useRouter();
  const [openedAt, setOpenedAt] = useState<Date>();
  const t = useTranslations("delivery.activate");
  const errors = useTranslations("errors");
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const close = () => setOpenedAt(undefined);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const at = String(new FormData(event.currentTarget).get("at"));
    setPending(true);
    setProblem(undefined);
    // The current minute is sent as "now" with second precision. Any other minute is sent explicitly.
    const activation = at === localMinute(new Date()) ? {} : { activated_at: new Date(at).toISOString() };
    const result = await api.post(
      "/library/activate",
      { library_id: libraryId, ...activation },
      { networkMessage: errors("network") },
    );
    setPending(false);
    if (!result.ok) return setProblem(result.message);
    close();
    showToast(t("done"));
    router.refresh();
  }

  return (
    <>
      <Button look="quiet" onClick={() => setOpenedAt(new Date())}>
        {activatedAt ? t("change") : t("button")}
      </Button>
      <Dialog open={openedAt !== undefined} onClose={close} title={t("title")} closeLabel={t("close")}>
        <form className="flex flex-col gap-4" onSubmit={send}>
          <p>{t("text")}</p>
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
          {problem && (
            <Notice kind="bad" live>
              {problem}
            </Notice>
          )}
          <div className="flex flex-col-reverse gap-2 pt-2 sm:flex-row sm:justify-end">
            <Button onClick={close}>{t("cancel")}</Button>
            <Button look="primary" type="submit" pending={pending}>
              {t("confirm")}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
