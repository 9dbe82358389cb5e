"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeInput } from "@/components/ui/code-input";
import { Countdown } from "@/components/ui/countdown";
import { serverNow } from "@/components/ui/server-clock";
import { showToast } from "@/components/ui/toast";
import { CODE_RESEND_SECONDS } from "@/lib/accounts/rules";
import { api } from "@/lib/platform/api/client";
import type { DeliveryEmail } from "./use-delivery-email";

/** The field for the code that verifies a delivery email. Another code can be requested after a minute. */
export function CheckoutEmailCode({
  delivery,
  cancelButton,
  network,
}: {
  delivery: DeliveryEmail;
  cancelButton: ReactNode;
  network: string;
}) {
  const t = useTranslations("orders.checkout");
  const [code, setCode] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void delivery.verify(code);
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <p>{t("code_sent", { email: delivery.codeFor ?? "" })}</p>
      <CodeInput
        label={t("code_label")}
        error={delivery.problem ?? undefined}
        autoFocus
        onCode={setCode}
        onComplete={(complete) => void delivery.verify(complete)}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" pending={delivery.pending} disabled={code.length < 6}>
          {t("code_confirm")}
        </Button>
        {cancelButton}
      </div>
      <ResendCode email={delivery.codeFor ?? ""} network={network} />
    </form>
  );
}

function ResendCode({ email, network }: { email: string; network: string }) {
  const t = useTranslations("orders.checkout");
  const hold = useTranslations("orders.hold");
  const [sentAt, setSentAt] = useState(() => serverNow());
  const [canResend, setCanResend] = useState(false);
  const [pending, setPending] = useState(false);

  async function resend() {
    setPending(true);
    const body = { email, verification_type: "order_email" as const };
    const result = await api.post("/auth/send-verification-code", body, { networkMessage: network });
    setPending(false);
    if (!result.ok) return showToast(result.message, "bad");
    setSentAt(serverNow());
    setCanResend(false);
    showToast(t("code_resent"), "good");
  }

  return (
    <div className="flex min-h-11 items-center text-13 text-quiet">
      {canResend ? (
        <Button look="quiet" className="-mx-3" pending={pending} onClick={resend}>
          {t("code_again")}
        </Button>
      ) : (
        <p>
          {t("code_again_in")}{" "}
          <Countdown
            key={sentAt}
            now={sentAt}
            endsAt={sentAt + CODE_RESEND_SECONDS * 1000}
            dayUnit={hold("day_unit")}
            spoken={t("code_again_after", { seconds: CODE_RESEND_SECONDS })}
            onEnd={() => setCanResend(true)}
          />
        </p>
      )}
    </div>
  );
}
