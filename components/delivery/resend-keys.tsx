"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";

/** Sends the codes of an order again to their original delivery email. */
export function ResendKeys({
  orderId,
  className = "-ml-3",
}: {
  orderId: string;
  /** The button's class name. A standalone button is aligned with the text. */
  className?: string;
}) {
  const t = useTranslations("delivery.resend");
  const errors = useTranslations("errors");
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function send() {
    setPending(true);
    setProblem(undefined);
    const result = await api.post(
      "/order/resend",
      { order_id: orderId },
      { networkMessage: errors("network") },
    );
    setPending(false);
    if (!result.ok) return setProblem(result.message);
    showToast(t("done", { email: result.data.send_email }));
  }

  return (
    <div className="flex flex-col items-start gap-2">
      <Button look="quiet" className={className} pending={pending} onClick={send}>
        {t("button")}
      </Button>
      <ErrorNotice>{problem}</ErrorNotice>
    </div>
  );
}
