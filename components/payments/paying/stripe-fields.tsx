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
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ExpressMethods } from "./express-methods";
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
  /** Whether a wallet may open its window; it stays closed otherwise. */
  mayOpenWallet: () => boolean;
  onWallet: (attempt: AttemptPayment) => void;
  /** the choice between cards, between the wallets and the card fields */
  children: ReactNode;
};

const SCRIPT_TIMEOUT_MS = 15_000;

/**
 * The provider's payment fields. They load only where the provider itself takes the payment (see
 * docs/performance.md#bars).
 */
export function StripeFields({
  publishableKey,
  mayOpenWallet,
  onWallet,
  children,
  ...rest
}: StripeFieldsProps) {
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
  const options = { clientSecret: rest.clientSecret, locale, appearance: stripeAppearance() };
  // The wallets have their own elements, so that paying with one does not check the empty card fields.
  return (
    <>
      <Elements key={`wallets-${attempt}`} stripe={stripe} options={options}>
        <Wallets
          clientSecret={rest.clientSecret}
          returnUrl={rest.returnUrl}
          mayOpenWallet={mayOpenWallet}
          onWallet={onWallet}
        />
      </Elements>
      {children}
      <Elements key={attempt} stripe={stripe} options={options}>
        <Fields {...rest} onFailed={() => setFailed(true)} />
      </Elements>
    </>
  );
}

/** Apple Pay, Google Pay and the like. Renders nothing where the browser offers none. */
function Wallets({
  clientSecret,
  returnUrl,
  mayOpenWallet,
  onWallet,
}: Pick<StripeFieldsProps, "clientSecret" | "returnUrl" | "mayOpenWallet" | "onWallet">) {
  const stripe = useStripe();
  const elements = useElements();
  const [none, setNone] = useState(false);
  const confirm = async (): Promise<PaymentAttemptResult> => {
    if (!stripe || !elements) return "stopped";
    const checked = await elements.submit();
    if (checked.error) return checked.error.message ? { problem: checked.error.message } : "stopped";
    const confirmParams = { return_url: returnUrl };
    return toAttemptResult(
      await stripe.confirmPayment({ clientSecret, elements, confirmParams, redirect: "if_required" }),
    );
  };
  if (none) return null;
  return (
    <ExpressMethods>
      <ExpressCheckoutElement
        onReady={({ availablePaymentMethods }) => setNone(!availablePaymentMethods)}
        onClick={({ resolve, reject }) => (mayOpenWallet() ? resolve() : reject())}
        onConfirm={() => onWallet(confirm)}
        onLoadError={() => setNone(true)}
      />
    </ExpressMethods>
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

type FieldsProps = Omit<StripeFieldsProps, "publishableKey" | "mayOpenWallet" | "onWallet" | "children"> & {
  onFailed: () => void;
};

function Fields({ clientSecret, returnUrl, method, prepare, onReady, onFailed }: FieldsProps) {
  const stripe = useStripe();
  const elements = useElements();

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
    const problem = await prepare();
    if (problem) return { problem };
    await elements.fetchUpdates();
    return toAttemptResult(await stripe.confirmPayment({ ...shared, elements, confirmParams }));
  }, [stripe, elements, clientSecret, returnUrl, method, prepare]);

  useEffect(() => {
    onReady(stripe && elements ? confirm : null);
    return () => onReady(null);
  }, [onReady, stripe, elements, confirm]);

  if (isStored(method)) return null;
  return (
    <PaymentElement options={{ wallets: { applePay: "never", googlePay: "never" } }} onLoadError={onFailed} />
  );
}

type Confirmed = { error?: { type: string } | undefined; paymentIntent?: { status: string } | undefined };

/** The provider marks an incomplete field itself. Any other error is decided by the server's state. */
const toAttemptResult = ({ error, paymentIntent }: Confirmed): PaymentAttemptResult => {
  if (error?.type === "validation_error") return "stopped";
  return paymentIntent?.status === "succeeded" ? "paid" : "submitted";
};

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
