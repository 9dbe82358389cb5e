"use client";

import { useCallback, useEffect, useState } from "react";
import { useSessionSummary } from "@/components/shell/session-summary";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import type { WithdrawInput, WithdrawView } from "@/lib/orders/withdrawal/contract";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { WithdrawLabels } from "./use-withdraw-labels";
import { WithdrawIdentifyForm } from "./withdraw-identify-form";
import { WithdrawReview } from "./withdraw-review";

/** The steps of a withdrawal: identify the order, review the lines, done. The owner's session needs no code. */
export function WithdrawSteps({ orderId, labels }: { orderId: string; labels: WithdrawLabels }) {
  const { locale } = useSurface();
  const signedIn = useSessionSummary()?.signedIn === true;
  const [view, setView] = useState<WithdrawView | null>(null);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { network } = labels;

  const send = useCallback(
    async (body: Omit<WithdrawInput, "user_id">, quiet = false) => {
      setPending(true);
      setProblem(null);
      const result = await api.post("/order/withdraw", body, { networkMessage: network });
      setPending(false);
      if (result.ok) setView(result.data);
      else if (!quiet) setProblem(result.message);
    },
    [network],
  );

  useEffect(() => {
    if (signedIn && orderId) void send({ order_id: orderId }, true);
  }, [signedIn, orderId, send]);

  if (view?.step === "done") {
    const amount = formatPrice(toCents(view.refund_amount), locale);
    return (
      <Notice
        kind={view.refund_amount > 0 ? "good" : "info"}
        live
        title={view.refund_amount > 0 ? labels.doneTitle.replace("%s", amount) : labels.doneNone}
      >
        {labels.doneText.replace("%s", () => view.email ?? "")}
      </Notice>
    );
  }
  if (view?.step === "review")
    return (
      <WithdrawReview
        view={view}
        labels={labels}
        pending={pending}
        problem={problem}
        onConfirm={(ids) =>
          void send({
            order_id: view.order_id,
            confirm: true,
            order_product_ids: ids,
            ...(view.token && { token: view.token }),
          })
        }
      />
    );
  return (
    <WithdrawIdentifyForm
      orderId={orderId}
      sent={view}
      labels={labels}
      pending={pending}
      problem={problem}
      onSend={(body) => void send(body)}
      onBack={() => {
        setView(null);
        setProblem(null);
      }}
    />
  );
}
