"use client";

import {
  Elements,
  ExpressCheckoutElement,
  PaymentElement,
  useElements,
  useStripe,
} from "@stripe/react-stripe-js";
import type { Appearance, Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { useLocale, useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { isStored, type PaymentMethod } from "./payment-methods";
import type { AttemptPayment, PaymentAttemptResult, PreparePayment } from "./use-payment";

export type StripeFieldsProps = {
  publishableKey: string;
  clientSecret: string;
  /** The absolute URL that the bank's page redirects back to. */
  returnUrl: string;
  method: PaymentMethod;
  prepare: PreparePayment;
  /** Receives the payment function once the fields are ready, or null while the pay button has no effect. */
  onReady: (attempt: AttemptPayment | null) => void;
  onWallet: (attempt: AttemptPayment) => void;
};

const SCRIPT_TIMEOUT_MS = 15_000;

/**
 * The provider's payment fields. They load only where the provider itself takes the payment (see
 * docs/performance.md#bars).
 */
export function StripeFields({ publishableKey, ...rest }: StripeFieldsProps) {
  const t = useTranslations("payments.stripe");
  const retryLabel = useTranslations("payments.method")("retry");
  const { stripe, blocked, retry } = useStripeScript(publishableKey);
  const locale = useLocale();
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  if (publishableKey === "")
    return <ErrorNotice title={t("missing_key_title")}>{t("missing_key_text")}</ErrorNotice>;
  const reload = () => {
    setFailed(false);
    setAttempt(attempt + 1);
    if (blocked) retry();
  };
  if (blocked || failed)
    return (
      <ErrorNotice title={t("blocked_title")} action={<Button onClick={reload}>{retryLabel}</Button>}>
        {t("blocked_text")}
      </ErrorNotice>
    );
  if (!stripe) return <FieldsSkeleton />;
  return (
    <Elements
      key={attempt}
      stripe={stripe}
      options={{ clientSecret: rest.clientSecret, locale, appearance: stripeAppearance() }}
    >
      <Fields {...rest} onFailed={() => setFailed(true)} />
    </Elements>
  );
}

/** Placeholder with the size of the provider's fields while they load. */
export function FieldsSkeleton() {
  const t = useTranslations("payments.stripe");
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">{t("loading")}</span>
      <Skeleton className="h-11" />
      <div className="grid grid-cols-2 gap-3">
        <Skeleton className="h-11" />
        <Skeleton className="h-11" />
      </div>
    </div>
  );
}

/** Loads the provider's script on demand. `blocked` is true when it cannot be loaded. */
export function useStripeScript(publishableKey: string) {
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [blocked, setBlocked] = useState(false);
  const load = useCallback(async () => {
    setBlocked(false);
    // A script that neither loads nor fails counts as blocked. It is still used if it loads later.
    const timeout = setTimeout(() => setBlocked(true), SCRIPT_TIMEOUT_MS);
    try {
      setStripe(await loadStripe(publishableKey));
      setBlocked(false);
    } catch {
      setBlocked(true);
    }
    clearTimeout(timeout);
  }, [publishableKey]);
  useEffect(() => {
    if (publishableKey !== "") void load();
  }, [publishableKey, load]);
  return { stripe, blocked, retry: () => void load() };
}

type FieldsProps = Omit<StripeFieldsProps, "publishableKey"> & {
  onFailed: () => void;
};

function Fields({ clientSecret, returnUrl, method, prepare, onReady, onWallet, onFailed }: FieldsProps) {
  const t = useTranslations("payments.stripe");
  const stripe = useStripe();
  const elements = useElements();
  const [noWallet, setNoWallet] = useState(false);

  const confirm = useCallback(async (): Promise<PaymentAttemptResult> => {
    if (!stripe || !elements) return "stopped";
    const confirmParams = { return_url: returnUrl };
    const shared = { clientSecret, redirect: "if_required" as const };
    if (isStored(method))
      return toAttemptResult(
        await stripe.confirmPayment({
          ...shared,
          confirmParams: { ...confirmParams, payment_method: method },
        }),
      );
    const checked = await elements.submit();
    if (checked.error) return checked.error.message ? { problem: checked.error.message } : "stopped";
    const problem = method === "card" ? await prepare() : null;
    if (problem) return { problem };
    if (method === "card") await elements.fetchUpdates();
    return toAttemptResult(await stripe.confirmPayment({ ...shared, elements, confirmParams }));
  }, [stripe, elements, clientSecret, returnUrl, method, prepare]);

  useEffect(() => {
    onReady(method !== "wallet" && stripe && elements ? confirm : null);
    return () => onReady(null);
  }, [onReady, method, stripe, elements, confirm]);

  if (isStored(method)) return null;
  if (method === "card")
    return (
      <PaymentElement
        options={{ wallets: { applePay: "never", googlePay: "never" } }}
        onLoadError={onFailed}
      />
    );
  if (noWallet) return <Notice>{t("wallet_none")}</Notice>;
  return (
    <ExpressCheckoutElement
      onReady={({ availablePaymentMethods }) => setNoWallet(!availablePaymentMethods)}
      onConfirm={() => onWallet(confirm)}
      onLoadError={() => setNoWallet(true)}
    />
  );
}

/** The provider marks an incomplete field itself. Any other error is decided by the server's state. */
const toAttemptResult = ({ error }: { error?: { type: string } | undefined }): PaymentAttemptResult =>
  error?.type === "validation_error" ? "stopped" : "submitted";

/** Our colors and corner radii for the provider's iframe, which our stylesheet cannot reach. */
export function stripeAppearance(): Appearance {
  const style = getComputedStyle(document.documentElement);
  const cssVariable = (name: string) => style.getPropertyValue(name).trim();
  return {
    theme: "flat",
    variables: {
      colorBackground: cssVariable("--color-raised"),
      colorText: cssVariable("--color-ink"),
      colorTextSecondary: cssVariable("--color-quiet"),
      colorPrimary: cssVariable("--color-ink"),
      colorDanger: cssVariable("--color-bad"),
      borderRadius: cssVariable("--radius-control"),
      fontSizeBase: "16px",
    },
    rules: { ".Input": { border: `1px solid ${cssVariable("--color-control")}` } },
  };
}
