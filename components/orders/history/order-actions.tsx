"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useNavigate } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { type SendCall, useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";

/** A button that asks for confirmation before an irreversible order action. */
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
  const [open, setOpen] = useState(false);

  async function submit() {
    const result = await run(send);
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
        onClose={() => setOpen(false)}
        title={labels.title}
        closeLabel={t("close")}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>{labels.keep}</Button>
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

/** Cancels an unpaid order. By default it then refreshes the page. */
export function CancelOrder({ orderId, onDone }: { orderId: string; onDone?: () => void }) {
  const t = useTranslations("orders.actions");
  const router = useRouter();
  return (
    <ConfirmAction
      labels={{ button: t("cancel"), title: t("cancel_title"), keep: t("keep"), confirm: t("cancel") }}
      send={(options) => api.post("/order/cancel", { order_id: orderId }, options)}
      onDone={() => {
        showToast(t("cancelled"));
        if (onDone) onDone();
        else router.refresh();
      }}
    >
      <p>{t("cancel_text")}</p>
    </ConfirmAction>
  );
}

/** Removes a finished order from the list. On the order's own page (`leave`) it then returns to the list. */
export function DeleteOrder({ orderId, leave = false }: { orderId: string; leave?: boolean }) {
  const t = useTranslations("orders.actions");
  const router = useRouter();
  const navigate = useNavigate();
  return (
    <ConfirmAction
      labels={{ button: t("remove"), title: t("remove_title"), keep: t("keep"), confirm: t("remove") }}
      send={(options) => api.post("/order/delete", { order_id: orderId }, options)}
      onDone={() => {
        showToast(t("removed"));
        if (leave) navigate("/order-history", { replace: true });
        else router.refresh();
      }}
    >
      <p>{t("remove_text")}</p>
    </ConfirmAction>
  );
}
