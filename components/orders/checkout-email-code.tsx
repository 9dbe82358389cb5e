"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeInput } from "@/components/ui/code-input";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/api-client";
import type { DeliveryEmail } from "./use-delivery-email";

const RESEND_AFTER_S = 60; // decisions.md "Codes"

/** The code that proves a delivery address, with another one after a minute. */
export function CheckoutEmailCode({
  delivery,
  keep,
  network,
}: {
  delivery: DeliveryEmail;
  keep: ReactNode;
  network: string;
}) {
  const t = useTranslations("orders.checkout");
  const [code, setCode] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void delivery.prove(code);
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <p>{t("code_sent", { email: delivery.codeFor ?? "" })}</p>
      <CodeInput
        label={t("code_label")}
        error={delivery.problem ?? undefined}
        autoFocus
        onCode={setCode}
        onComplete={(whole) => void delivery.prove(whole)}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" pending={delivery.pending} disabled={code.length < 6}>
          {t("code_confirm")}
        </Button>
        {keep}
      </div>
      <ResendCode email={delivery.codeFor ?? ""} network={network} />
    </form>
  );
}

function ResendCode({ email, network }: { email: string; network: string }) {
  const t = useTranslations("orders.checkout");
  const [left, setLeft] = useState(RESEND_AFTER_S);
  const [pending, setPending] = useState(false);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);

  async function resend() {
    setPending(true);
    const body = { email, verification_type: "order_email" };
    const answer = await api.post("/auth/send-verification-code", body, { networkMessage: network });
    setPending(false);
    if (answer.ok) {
      setLeft(RESEND_AFTER_S);
      showToast(t("code_resent"), "good");
    } else showToast(answer.message, "bad");
  }

  if (left > 0)
    return (
      <p className="text-13 text-quiet">
        {t("code_again_in")} <span className="figures">0:{String(left).padStart(2, "0")}</span>
      </p>
    );
  return (
    <div>
      <Button look="quiet" className="-mx-3" pending={pending} onClick={resend}>
        {t("code_again")}
      </Button>
    </div>
  );
}
