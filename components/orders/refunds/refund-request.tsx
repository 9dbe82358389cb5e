"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";
import type { RefundRequestLabels } from "./line-refund";

/** Submits a refund request for a line after showing the amount, the deadline and the procedure. */
export function RefundRequest({
  orderId,
  lineId,
  labels,
  className,
}: {
  orderId: string;
  lineId: string;
  labels: RefundRequestLabels;
  className?: string;
}) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function submit() {
    setPending(true);
    setProblem(undefined);
    const result = await api.post(
      "/order/refund/request",
      { order_id: orderId, order_product_id: lineId },
      { networkMessage: labels.network },
    );
    setPending(false);
    if (!result.ok) return setProblem(result.message);
    setOpen(false);
    showToast(result.data.state === "approved" ? labels.approved : labels.sent);
    router.refresh();
  }

  return (
    <>
      <Button look="quiet" className={className} onClick={() => setOpen(true)}>
        {labels.ask}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={labels.title}
        closeLabel={labels.close}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>{labels.keep}</Button>
            <Button look="danger" pending={pending} onClick={submit}>
              {labels.confirm}
            </Button>
          </>
        }
      >
        <DefinitionRows rows={labels.rows} />
        <p>{labels.next}</p>
        {problem && (
          <Notice kind="bad" live title={labels.failed}>
            {problem}
          </Notice>
        )}
      </Dialog>
    </>
  );
}
