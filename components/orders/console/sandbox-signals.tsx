"use client";

import { useTranslations } from "next-intl";
import { RecordCard, SMALL_BUTTON } from "@/components/console/record-page";
import { Button } from "@/components/ui/button";
import { useReauthentication } from "@/components/ui/reauthentication";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { SANDBOX_SIGNALS } from "@/lib/orders/console/rules";
import { api } from "@/lib/platform/api/client";

/** In the demo: what the provider's stand-in can send about the payment of an order. */
export function SandboxSignals({ orderId }: { orderId: string }) {
  const t = useTranslations("console.sandbox_signals");
  const network = useTranslations("errors")("network");
  const withReauthentication = useReauthentication();
  const { pending, run } = useCall(network);
  async function send(signal: (typeof SANDBOX_SIGNALS)[number]) {
    const result = await run((options) =>
      withReauthentication(() => api.post(`/admin/orders/${orderId}/sandbox-signal`, { signal }, options)),
    );
    showToast(result.ok ? t("sent") : result.message, result.ok ? "good" : "bad");
  }
  return (
    <RecordCard title={t("title")}>
      <p className="text-13 text-quiet">{t("text")}</p>
      <div className="flex flex-wrap gap-2 pt-2">
        {SANDBOX_SIGNALS.map((signal) => (
          <Button key={signal} className={SMALL_BUTTON} pending={pending} onClick={() => void send(signal)}>
            {t(signal)}
          </Button>
        ))}
      </div>
    </RecordCard>
  );
}
