"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { TextArea } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { REPLACEMENT_REASON_MAX } from "@/lib/delivery/rules";
import { api } from "@/lib/platform/api/client";

/** Reports that a code does not work and requests a replacement. */
export function ReplaceKey({ libraryId }: { libraryId: string }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const t = useTranslations("delivery.replace");
  const errors = useTranslations("errors");
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const close = () => setOpen(false);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const reason = String(new FormData(event.currentTarget).get("reason"));
    setPending(true);
    setProblem(undefined);
    const result = await api.post(
      "/library/replace",
      { library_id: libraryId, reason },
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
      <Button look="quiet" onClick={() => setOpen(true)}>
        {t("button")}
      </Button>
      <Dialog open={open} onClose={close} title={t("title")} closeLabel={t("close")}>
        <form className="flex flex-col gap-4" onSubmit={send}>
          <p>{t("text")}</p>
          <TextArea
            label={t("reason")}
            hint={t("hint")}
            name="reason"
            required
            maxLength={REPLACEMENT_REASON_MAX}
          />
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
