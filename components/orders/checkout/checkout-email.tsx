"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useVerifyLabels } from "@/components/accounts/verification/use-code-labels";
import { VerifyEmail } from "@/components/accounts/verification/verify-email";
import { Button } from "@/components/ui/button";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import type { OrderDetail } from "@/lib/orders/contract";
import { CheckoutEmailCode } from "./checkout-email-code";
import { useDeliveryEmail } from "./use-delivery-email";

/**
 * The account that owns the order. An account with an unverified email may not claim free passes or send codes to
 * another email.
 */
export type CheckoutAccount = { email: string; verified: boolean };

/**
 * The delivery email, with a control to change it. An email other than the account's own is verified with a code
 * first (docs/product.md#83-delivery).
 */
export function CheckoutEmail({
  order,
  account,
  network,
  onChanged,
}: {
  order: OrderDetail;
  account: CheckoutAccount;
  network: string;
  onChanged: (order: OrderDetail) => void;
}) {
  const t = useTranslations("orders.checkout");
  const verifyLabels = useVerifyLabels();
  const [editing, setEditing] = useState(false);
  const [typedEmail, setTypedEmail] = useState("");
  const delivery = useDeliveryEmail(order.order_id, network, (email) => {
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
        <p className="text-13 text-quiet">{t("email_hint")}</p>
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
  if (delivery.codeFor !== null)
    return <CheckoutEmailCode delivery={delivery} cancelButton={cancelButton} network={network} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!delivery.pending) void delivery.save(typedEmail);
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <TextInput
        label={t("email_label")}
        hint={t("email_hint")}
        error={delivery.problem ?? undefined}
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
