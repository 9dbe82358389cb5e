"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useNavigate } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { type SendCall, useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";

/**
 * A button that asks for confirmation before an irreversible order action. When the dialog of a refused action closes, the
 * page is read again, because the order has changed since it was shown.
 */
export function ConfirmAction<T>({
  labels,
  className,
  send,
  onDone,
  children,
}: {
  labels: { button: string; title: string; keep: string; confirm: string; failed?: string };
  className?: string;
  send: SendCall<T>;
  onDone: (data: T) => void;
  children: ReactNode;
}) {
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));
  const t = useTranslations("orders.actions");
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const refused = useRef(false);
  const close = () => {
    setOpen(false);
    if (refused.current) router.refresh();
    refused.current = false;
  };

  async function submit() {
    const result = await run(send);
    refused.current = !result.ok && result.code !== "";
    if (!result.ok) return;
    setOpen(false);
    onDone(result.data);
  }

  return (
    <>
      <Button look="quiet" className={className} onClick={() => setOpen(true)}>
        {labels.button}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={labels.title}
        closeLabel={t("close")}
        actions={
          <>
            <Button onClick={close}>{labels.keep}</Button>
            <Button look="danger" pending={pending} onClick={submit}>
              {labels.confirm}
            </Button>
          </>
        }
      >
        {children}
        <ErrorNotice title={labels.failed} className={labels.failed ? undefined : "mt-4"}>
          {problem}
        </ErrorNotice>
      </Dialog>
    </>
  );
}

/** Cancels an unpaid order, or removes a finished one from the list. Then it opens `leaveTo` or refreshes the page. */
export function OrderAction({
  action,
  orderId,
  leaveTo,
  running = false,
  onChanged,
}: {
  action: "cancel" | "remove";
  orderId: string;
  leaveTo?: string;
  /** A payment is running: the cancellation may come too late, and the money is then refunded. */
  running?: boolean;
  onChanged?: () => void;
}) {
  const t = useTranslations("orders.actions");
  const router = useRouter();
  const navigate = useNavigate();
  const path = action === "cancel" ? "/order/cancel" : "/order/delete";
  return (
    <ConfirmAction
      labels={{ button: t(action), title: t(`${action}_title`), keep: t("keep"), confirm: t(action) }}
      send={(options) => api.post(path, { order_id: orderId }, options)}
      onDone={(done) => {
        const stillRunning = action === "cancel" && "status" in done && done.status !== "cancelled";
        showToast(t(stillRunning ? "cancel_requested" : action === "cancel" ? "cancelled" : "removed"));
        onChanged?.();
        if (leaveTo && !stillRunning) navigate(leaveTo, { replace: true });
        else router.refresh();
      }}
    >
      <p>{t(running ? "cancel_running_text" : `${action}_text`)}</p>
    </ConfirmAction>
  );
}
