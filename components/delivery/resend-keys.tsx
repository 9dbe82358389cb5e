"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";
import type { ResendLabels } from "./use-resend-labels";

/** Sends the codes of an order again to their original delivery email. */
export function ResendKeys({
  orderId,
  labels,
  className = "-ml-3",
}: {
  orderId: string;
  labels: ResendLabels;
  /** The button's class name. A standalone button is aligned with the text. */
  className?: string;
}) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function send() {
    setPending(true);
    setProblem(undefined);
    const answer = await api.post("/order/resend", { order_id: orderId }, { networkMessage: labels.network });
    setPending(false);
    if (!answer.ok) return setProblem(answer.message);
    showToast(labels.done.replace("{email}", answer.data.send_email));
  }

  return (
    <div className="flex flex-col items-start gap-2">
      <Button look="quiet" className={className} pending={pending} onClick={send}>
        {labels.button}
      </Button>
      {problem && (
        <Notice kind="bad" live>
          {problem}
        </Notice>
      )}
    </div>
  );
}
