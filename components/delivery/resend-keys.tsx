"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";

/** Sends the codes of an order again to their original delivery email. */
export function ResendKeys({ orderId, className }: { orderId: string; className?: string }) {
  const t = useTranslations("delivery.resend");
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));

  async function send() {
    const result = await run((options) => api.post("/order/resend", { order_id: orderId }, options));
    if (result.ok) showToast(t("done", { email: result.data.send_email }));
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
