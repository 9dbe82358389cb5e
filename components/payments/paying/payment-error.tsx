"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import type { OrderDetail } from "@/lib/orders/contract";
import { DeclineNotice } from "./decline-notice";
import type { usePayment } from "./use-payment";

/**
 * Explains why the last attempt failed or is slow. It scrolls into view when it appears, also after a wait, and again
 * when the form has reached its full height.
 */
export function PaymentError({
  order,
  payment,
  contentReady,
}: {
  order: OrderDetail;
  payment: Pick<ReturnType<typeof usePayment>, "phase" | "problem" | "attempted" | "checkNow">;
  /** Whether the content above has reached its full height. */
  contentReady: boolean;
}) {
  const t = useTranslations("payments.slow");
  const container = useRef<HTMLDivElement>(null);
  const { phase, problem, attempted } = payment;
  const code = order.payment_error;
  const slow = phase.kind === "sending" && phase.slow;
  const shown = slow || (phase.kind === "ready" && (problem !== null || code !== null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the layout moves when `contentReady` changes
  useEffect(() => {
    if (shown && attempted) container.current?.scrollIntoView({ block: "center" });
  }, [shown, attempted, contentReady]);
  if (!shown) return null;
  return (
    <div ref={container}>
      {slow ? (
        <Notice
          live
          title={t("title")}
          action={<Button onClick={() => void payment.checkNow()}>{t("look")}</Button>}
        >
          {t("text")}
        </Notice>
      ) : problem !== null ? (
        <ErrorNotice>{problem}</ErrorNotice>
      ) : (
        code !== null && <DeclineNotice code={code} live />
      )}
    </div>
  );
}
