"use client";

import dynamic from "next/dynamic";
import { useLocale, useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { countryOptions } from "@/components/accounts/billing/country-options";
import { ExpressMethods } from "@/components/payments/paying/express-methods";
import { PaymentError } from "@/components/payments/paying/payment-error";
import { PaymentMethods } from "@/components/payments/paying/payment-methods";
import { SandboxChallenge, SandboxChoice } from "@/components/payments/paying/sandbox";
import type { AttemptPayment, usePayChoice, usePayment } from "@/components/payments/paying/use-payment";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Icon } from "@/components/ui/icon";
import { ErrorNotice } from "@/components/ui/notice";
import { type Option, Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import { useSurface } from "@/components/ui/surface";
import { useRequest } from "@/components/ui/use-call";
import type { OrderDetail } from "@/lib/orders/contract";
import {
  isRedirectMethod,
  REDIRECT_METHODS,
  SANDBOX_OUTCOMES,
  type SandboxOutcome,
} from "@/lib/payments/rules";
import { type ApiResult, api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";
import { localizedPath } from "@/lib/platform/routing/paths";
import { CheckoutBar, CheckoutStep } from "./checkout-step";
import { CheckoutTrust } from "./checkout-trust";

const StripeFields = dynamic(
  () => import("@/components/payments/paying/stripe-fields").then((file) => file.StripeFields),
  { ssr: false, loading: () => <Skeleton className="h-28" /> },
);

/** Where a bank's page, or that of a method of its own, leads back to. */
const successPath = ({ order_id }: OrderDetail) => `/payment/success?order_id=${order_id}`;

export function CheckoutPay({
  order,
  reload,
  payment,
  choice,
  opening,
  repricing,
  mayPay,
}: {
  order: OrderDetail;
  reload: () => Promise<unknown>;
  payment: ReturnType<typeof usePayment>;
  choice: ReturnType<typeof usePayChoice>;
  /** Names the total of the order: each one has its own payment. */
  opening: string;
  /** The order gets another total. */
  repricing: boolean;
  /** Whether the delivery is chosen; if not, scrolls to the choice. A wallet asks before it opens. */
  mayPay: () => boolean;
}) {
  const t = useTranslations("orders.checkout");
  const pay = useTranslations("payments");
  const actions = useTranslations("orders.actions");
  const locale = useLocale();
  const amount = formatPrice(toCents(order.final_amount), locale);
  const page = useSurface();
  const networkMessage = useTranslations("errors")("network");
  const { result: opened, retry } = useRequest(
    // biome-ignore lint/correctness/useExhaustiveDependencies: another opening opens another payment
    useCallback(() => {
      // Without a choice the call would store the consent that is its default.
      // A buyer who gets immediate delivery only has chosen it before this is shown.
      const choice = order.immediate_only ? { immediate_delivery: true } : { choose_later: true };
      const body = { order_id: order.order_id, ...choice };
      return api.post("/payment/stripe/create-payment-intent", body, { networkMessage });
    }, [order.order_id, order.immediate_only, networkMessage, opening]),
  );
  const { method, setMethod, outcome, setOutcome, save, setSave, prepare } = choice;
  const [fields, setFields] = useState<{ pay: AttemptPayment } | null>(null);
  const onReady = useCallback((ready: AttemptPayment | null) => setFields(ready && { pay: ready }), []);
  const intent = opened?.ok ? opened.data : undefined;
  const sandbox = intent?.payment_mode === "sandbox";
  const sending = payment.phase.kind === "sending";

  // The order may have been paid or closed elsewhere. The page then shows that state and does not offer payment.
  const failed = opened !== null && !opened.ok && opened.code !== "";
  useEffect(() => {
    if (failed) void reload();
  }, [failed, reload]);

  // Simulates a payment with an outcome. Like the provider's script, it only starts the attempt, and the server
  // determines the result. Without a method, the call continues after the bank's confirmation.
  const sandboxAttempt = (outcome: SandboxOutcome, payment_method?: string): AttemptPayment | undefined =>
    intent &&
    (async () => {
      const problem = payment_method?.startsWith("card") && (await prepare());
      if (problem) return { problem };
      const return_path = localizedPath(successPath(order), page);
      const body = { client_secret: intent.client_secret, outcome, payment_method, return_path };
      const result = await api.post("/payment/sandbox/confirm", body, { networkMessage });
      if (!result.ok) return { problem: result.message };
      if (result.data.redirect_url !== null) {
        location.assign(result.data.redirect_url);
        return new Promise(() => {}); // until the page is left
      }
      if (result.data.status === "succeeded") return "paid";
      return result.data.status === "requires_action" ? "challenge" : "submitted";
    });

  // With taxes the card's country is evidence of where its owner lives: by default it agrees with the checkout.
  const [chosenCountry, setChosenCountry] = useState<string | null>(null);
  const [countries, setCountries] = useState<Option[]>([]);
  const cardCountry = chosenCountry ?? order.tax?.country ?? "";
  useEffect(() => setCountries(countryOptions(locale)), [locale]);
  const sandboxMethod = cardCountry && method === "card" ? `card_${cardCountry}` : method;
  const attempt = sandbox ? sandboxAttempt(outcome, sandboxMethod) : fields?.pay;
  const payNow = (attempt?: AttemptPayment) => {
    if (attempt) void payment.pay(attempt);
  };

  const methods = (
    <PaymentMethods
      value={method}
      disabled={sending}
      redirects={sandbox ? REDIRECT_METHODS : []}
      onChange={setMethod}
    />
  );
  return (
    <>
      <CheckoutStep number={2} title={t("step_method")}>
        {intent && sandbox && (
          <ExpressMethods>
            <Button
              large
              block
              pending={sending}
              onClick={() => payNow(sandboxAttempt(outcome, "google_pay"))}
            >
              <Icon name="phone" size={18} />
              {pay("sandbox.wallet")}
            </Button>
          </ExpressMethods>
        )}
        {(!intent || sandbox) && methods}
        {intent && sandbox && !isRedirectMethod(method) && (
          <SandboxChoice
            title={pay("sandbox.title")}
            text={pay("sandbox.text")}
            disabled={sending}
            options={SANDBOX_OUTCOMES}
            label={(option) => pay(`sandbox.outcome.${option}`)}
            value={outcome}
            onChange={setOutcome}
          />
        )}
        {intent && sandbox && order.tax && method === "card" && (
          <div className="max-w-80">
            <Select
              label={pay("sandbox.card_country")}
              name="card_country"
              disabled={sending}
              value={cardCountry}
              onChange={(event) => setChosenCountry(event.target.value)}
              options={[{ value: "", label: t("country.choose") }, ...countries]}
            />
          </div>
        )}
        {intent && !sandbox && (
          <StripeFields
            publishableKey={intent.publishableKey}
            clientSecret={intent.client_secret}
            returnUrl={location.origin + localizedPath(successPath(order), page)}
            method={method}
            prepare={prepare}
            onReady={onReady}
            mayOpenWallet={mayPay}
            onWallet={payNow}
          >
            {methods}
          </StripeFields>
        )}
        {intent && method === "card" && (
          <Checkbox
            label={pay("method.save")}
            hint={pay("method.save_hint")}
            checked={save}
            disabled={sending}
            onChange={(event) => setSave(event.target.checked)}
          />
        )}
        <OpeningNotice opened={opened} retry={retry} />
      </CheckoutStep>
      <CheckoutStep number={3} title={t("step_review")}>
        <CheckoutTrust order={order} />
        <PaymentError order={order} payment={payment} contentReady={opened !== null} />
      </CheckoutStep>
      <CheckoutBar order={order} onEnd={() => void reload()}>
        <Button
          look="primary"
          large
          pending={sending}
          disabled={!attempt || repricing}
          onClick={() => payNow(attempt)}
        >
          {pay("pay", { amount })}
        </Button>
      </CheckoutBar>
      <SandboxChallenge
        open={payment.phase.kind === "challenge"}
        text={pay("sandbox.challenge_text", { amount })}
        closeLabel={actions("close")}
        onClose={payment.leaveChallenge}
        onDecide={(approved) => payNow(sandboxAttempt(approved ? "succeeded" : "declined"))}
      />
    </>
  );
}

/** The payment is opened once for an order. Repeated requests return the same intent. */
function OpeningNotice({ opened, retry }: { opened: ApiResult<unknown> | null; retry: () => void }) {
  const t = useTranslations("payments.method");
  if (opened?.ok) return null;
  if (opened)
    return (
      <ErrorNotice title={t("failed_title")} action={<Button onClick={retry}>{t("retry")}</Button>}>
        {opened.message} {t("failed_text")}
      </ErrorNotice>
    );
  return (
    <div role="status">
      <span className="sr-only">{t("opening")}</span>
      <Skeleton className="h-44" />
    </div>
  );
}
