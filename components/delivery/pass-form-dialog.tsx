"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import type { ApiResult } from "@/lib/platform/api/client";

/**
 * The dialog form of an action on a pass. `send` receives the fields and the message for a failed connection. A
 * successful action closes the dialog and refreshes the page.
 */
export function PassFormDialog({
  action,
  open,
  onClose,
  send,
  children,
}: {
  action: "activate" | "replace";
  open: boolean;
  onClose: () => void;
  send: (fields: FormData, networkMessage: string) => Promise<ApiResult<unknown>>;
  children: ReactNode;
}) {
  const router = useRouter();
  const t = useTranslations(`delivery.${action}`);
  const networkMessage = useTranslations("errors")("network");
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const fields = new FormData(event.currentTarget);
    setPending(true);
    setProblem(undefined);
    const result = await send(fields, networkMessage);
    setPending(false);
    if (!result.ok) return setProblem(result.message);
    onClose();
    showToast(t("done"));
    router.refresh();
  }

  return (
    <Dialog open={open} onClose={onClose} title={t("title")} closeLabel={t("close")}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <p>{t("text")}</p>
        {children}
        {problem && (
          <Notice kind="bad" live>
            {problem}
          </Notice>
        )}
        <div className="flex flex-col-reverse gap-2 pt-2 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button look="primary" type="submit" pending={pending}>
            {t("confirm")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
