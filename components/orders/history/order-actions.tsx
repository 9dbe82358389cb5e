"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useNavigate } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";

type ConfirmLabels = { button: string; title: string; text: string; done: string };

/** A button that asks for confirmation before an irreversible order action. */
function ConfirmOrderAction({
  path,
  orderId,
  labels,
  onDone,
  icon,
}: {
  path: "/order/cancel" | "/order/delete";
  orderId: string;
  labels: ConfirmLabels;
  /** Runs after the action. The default is to refresh the page. */
  onDone?: () => void;
  icon?: ReactNode;
}) {
  const t = useTranslations("orders.actions");
  const errors = useTranslations("errors");
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function submit() {
    setPending(true);
    setProblem(undefined);
    const result = await api.post(path, { order_id: orderId }, { networkMessage: errors("network") });
    setPending(false);
    if (!result.ok) return setProblem(result.message);
    setOpen(false);
    showToast(labels.done);
    if (onDone) onDone();
    else router.refresh();
  }

  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {icon}
        {labels.button}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={labels.title}
        closeLabel={t("close")}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>{t("keep")}</Button>
            <Button look="danger" pending={pending} onClick={submit}>
              {labels.button}
            </Button>
          </>
        }
      >
        <p>{labels.text}</p>
        {problem && (
          <Notice kind="bad" live className="mt-4">
            {problem}
          </Notice>
        )}
      </Dialog>
    </>
  );
}

/** Cancels an unpaid order after a confirmation. */
export function CancelOrder({ orderId, onDone }: { orderId: string; onDone?: () => void }) {
  const t = useTranslations("orders.actions");
  const labels = {
    button: t("cancel"),
    title: t("cancel_title"),
    text: t("cancel_text"),
    done: t("cancelled"),
  };
  return <ConfirmOrderAction path="/order/cancel" orderId={orderId} labels={labels} onDone={onDone} />;
}

/**
 * Removes a finished order from the list after a confirmation. On the order's own page it then returns to the list.
 */
export function DeleteOrder({ orderId, leave = false }: { orderId: string; leave?: boolean }) {
  const t = useTranslations("orders.actions");
  const navigate = useNavigate();
  const labels = {
    button: t("remove"),
    title: t("remove_title"),
    text: t("remove_text"),
    done: t("removed"),
  };
  return (
    <ConfirmOrderAction
      path="/order/delete"
      orderId={orderId}
      labels={labels}
      onDone={leave ? () => navigate("/order-history", { replace: true }) : undefined}
    />
  );
}
