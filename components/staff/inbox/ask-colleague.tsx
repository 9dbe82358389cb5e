"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { HandOverFields } from "./hand-over-fields";

/** Asks everyone of a role about an order, such as for a gesture above one's limit. */
export function AskColleague({ orderId, className }: { orderId: string; className?: string }) {
  const t = useTranslations("console.inbox");
  const { pending, problem, setProblem, run } = useCall(useTranslations("errors")("network"));
  const [open, setOpen] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const note = String(fields.get("note") ?? "").trim();
    if (note.length < 3) return setProblem(t("note_missing"));
    const body = { role: String(fields.get("role")), note };
    const result = await run((options) => api.post<unknown>(`/admin/orders/${orderId}/ask`, body, options));
    if (!result.ok) return;
    setOpen(false);
    showToast(t("marked.hand_over"), "good");
  }
  return (
    <>
      <Button className={className} onClick={() => setOpen(true)}>
        {t("hand_over")}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t("hand_over_title")} closeLabel={t("close")}>
        <form className="flex flex-col gap-4" onSubmit={submit}>
          <HandOverFields queue="asked" />
          <ErrorNotice>{problem}</ErrorNotice>
          <Button type="submit" look="primary" pending={pending} className="self-end">
            {t("hand_over")}
          </Button>
        </form>
      </Dialog>
    </>
  );
}
