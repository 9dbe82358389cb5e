"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useState } from "react";
import { useVerifyLabels } from "@/components/accounts/verification/use-code-labels";
import { VerifyEmail } from "@/components/accounts/verification/verify-email";
import { Button } from "@/components/ui/button";
import { CodeInput } from "@/components/ui/code-input";
import { Countdown } from "@/components/ui/countdown";
import { Dated } from "@/components/ui/dated";
import { serverNow } from "@/components/ui/server-clock";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { CODE_RESEND_SECONDS } from "@/lib/accounts/rules";
import type { OrderDetail } from "@/lib/orders/contract";
import { api } from "@/lib/platform/api/client";

/** An account with an unverified email may not claim free passes or send codes to another email. */
export type CheckoutAccount = { email: string; verified: boolean };

/** The delivery email. One other than the account's own is verified first (docs/product.md#83-delivery). */
export function CheckoutEmail({
  order,
  account,
  given,
  onChanged,
}: {
  order: OrderDetail;
  account: CheckoutAccount;
  /** The order is a gift, whose codes do not go here. */
  given: boolean;
  onChanged: (order: OrderDetail) => void;
}) {
  const t = useTranslations("orders.checkout");
  const giftHint = useTranslations("orders.gift")("email_hint");
  const hint = given ? giftHint : t("email_hint");
  const verifyLabels = useVerifyLabels();
  const [editing, setEditing] = useState(false);
  const [typedEmail, setTypedEmail] = useState("");
  const delivery = useDeliveryEmail(order.order_id, (email) => {
    onChanged({ ...order, send_email: email });
    setEditing(false);
    showToast(t("email_saved", { email }), "good");
  });

  if (!editing)
    return (
      <div className="flex flex-col gap-1">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <p className="text-17 font-medium break-all">{order.send_email}</p>
          <Button
            look="quiet"
            className="-mx-3"
            aria-label={t("email_change_named")}
            onClick={() => {
              setTypedEmail(order.send_email);
              delivery.reset();
              setEditing(true);
            }}
          >
            {t("email_change")}
          </Button>
        </div>
        <p className="text-13 text-quiet">
          <Dated>{hint}</Dated>
        </p>
      </div>
    );

  const cancelButton = (
    <Button look="quiet" onClick={() => setEditing(false)}>
      {t("email_keep")}
    </Button>
  );
  if (!account.verified)
    return (
      <div className="flex flex-col items-start gap-2">
        <VerifyEmail email={account.email} labels={verifyLabels} />
        {cancelButton}
      </div>
    );
  if (delivery.codeFor !== null) return <CheckoutEmailCode delivery={delivery} cancelButton={cancelButton} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!delivery.pending) void delivery.save(typedEmail);
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <TextInput
        label={t("email_label")}
        hint={hint}
        error={delivery.problem}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={typedEmail}
        onChange={(event) => setTypedEmail(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={delivery.pending}>
          {t("email_save")}
        </Button>
        {cancelButton}
      </div>
    </form>
  );
}

/** The field for the code that verifies a delivery email. Another code can be requested after a minute. */
function CheckoutEmailCode({
  delivery,
  cancelButton,
}: {
  delivery: ReturnType<typeof useDeliveryEmail>;
  cancelButton: ReactNode;
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
        error={delivery.problem}
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
      <ResendCode email={delivery.codeFor ?? ""} />
    </form>
  );
}

function ResendCode({ email }: { email: string }) {
  const t = useTranslations("orders.checkout");
  const hold = useTranslations("orders.hold");
  const [sentAt, setSentAt] = useState(() => serverNow());
  const [canResend, setCanResend] = useState(false);
  const { pending, run } = useCall(useTranslations("errors")("network"));

  async function resend() {
    const body = { email, verification_type: "order_email" as const };
    const result = await run((options) => api.post("/auth/send-verification-code", body, options));
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

const EMAIL_NOT_VERIFIED = "40902";

/** Changes the delivery email. Where needed, a code verifies it and the change is requested again. */
function useDeliveryEmail(orderId: string, onSaved: (email: string) => void) {
  const { pending, problem, setProblem, run } = useCall(useTranslations("errors")("network"));
  const [codeFor, setCodeFor] = useState<string | null>(null);
  /** The last email that a code was sent to. An immediate second request would be refused. */
  const [sentTo, setSentTo] = useState<string | null>(null);

  async function save(email: string): Promise<void> {
    const address = email.trim().toLowerCase();
    if (address === sentTo) return setCodeFor(address);
    await requestChange(address);
  }

  async function requestChange(address: string): Promise<void> {
    const body = { order_id: orderId, send_email: address };
    const result = await run((options) => api.post("/order/update/email", body, options));
    if (result.ok) return onSaved(result.data.send_email);
    const fieldError = result.errors.find((error) => error.path === "send_email");
    if (fieldError) setProblem(fieldError.message);
    if (result.code !== EMAIL_NOT_VERIFIED) return;
    setProblem("");
    setSentTo(address);
    setCodeFor(address);
  }

  async function verify(code: string): Promise<void> {
    if (codeFor === null || pending) return;
    const body = { email: codeFor, code };
    const result = await run((options) => api.post("/auth/email/verify-code", body, options));
    if (result.ok) {
      setSentTo(null);
      return requestChange(codeFor);
    }
    const fieldError = result.errors.find((error) => error.path === "code");
    if (fieldError) setProblem(fieldError.message);
  }

  const reset = () => {
    setProblem("");
    setCodeFor(null);
  };
  return { pending, problem, codeFor, save, verify, reset };
}
