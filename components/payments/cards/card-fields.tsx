"use client";

import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import { useLocale, useTranslations } from "next-intl";
import { useCallback, useEffect } from "react";
import {
  FieldsSkeleton,
  stripeAppearance,
  useStripeScript,
} from "@/components/payments/paying/stripe-fields";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";

/** `stored`: the server is asked to confirm. `stopped`: nothing changed, such as for an incomplete field. */
export type StoreCardResult = "stored" | "stopped" | "declined" | "refused" | { problem: string };
export type StoreCard = () => Promise<StoreCardResult>;

type CardFieldsProps = {
  publishableKey: string;
  clientSecret: string;
  /** The absolute URL that the bank's page redirects back to. */
  returnUrl: string;
  /** Receives the store function once the fields are ready, or null while the button has no effect. */
  onReady: (store: StoreCard | null) => void;
};

/** The provider's card fields. Their input never reaches our servers. */
export function CardFields({ publishableKey, ...rest }: CardFieldsProps) {
  const t = useTranslations("payments.cards");
  const { stripe, blocked, retry } = useStripeScript(publishableKey);
  const locale = useLocale();
  if (publishableKey === "") return <ErrorNotice>{t("missing_key")}</ErrorNotice>;
  if (blocked)
    return (
      <ErrorNotice title={t("blocked_title")} action={<Button onClick={retry}>{t("again")}</Button>}>
        {t("blocked_text")}
      </ErrorNotice>
    );
  if (!stripe) return <FieldsSkeleton />;
  return (
    <Elements
      stripe={stripe}
      options={{ clientSecret: rest.clientSecret, locale, appearance: stripeAppearance() }}
    >
      <Fields {...rest} />
    </Elements>
  );
}

function Fields({ clientSecret, returnUrl, onReady }: Omit<CardFieldsProps, "publishableKey">) {
  const t = useTranslations("payments.cards");
  const stripe = useStripe();
  const elements = useElements();
  const refused = t("refused");

  const store = useCallback(async (): Promise<StoreCardResult> => {
    if (!stripe || !elements) return "stopped";
    const checked = await elements.submit();
    if (checked.error) return checked.error.message ? { problem: checked.error.message } : "stopped";
    const { error } = await stripe.confirmSetup({
      elements,
      clientSecret,
      confirmParams: { return_url: returnUrl },
      redirect: "if_required",
    });
    if (!error) return "stored";
    if (error.type === "validation_error") return "stopped";
    return { problem: error.message ?? refused };
  }, [stripe, elements, clientSecret, returnUrl, refused]);

  useEffect(() => {
    onReady(stripe && elements ? store : null);
    return () => onReady(null);
  }, [onReady, stripe, elements, store]);

  return <PaymentElement options={{ wallets: { applePay: "never", googlePay: "never" } }} />;
}
