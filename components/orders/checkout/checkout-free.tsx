"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useVerifyLabels } from "@/components/accounts/verification/use-code-labels";
import { VerifyEmail } from "@/components/accounts/verification/verify-email";
import { OrderSummary } from "@/components/orders/history/order-summary";
import { Button } from "@/components/ui/button";
import { useNavigate } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { api, newIdempotencyKey } from "@/lib/platform/api/client";
import { CheckoutBar } from "./checkout-bar";
import { CheckoutEmail } from "./checkout-email";
import { CheckoutStep, type CheckoutStepsProps } from "./checkout-step";

/** The two steps of a free order (docs/product.md#51-fields). */
export function CheckoutFree({
  order,
  account,
  setOrder,
  reload,
  network,
  delivery,
  whenSettled,
}: CheckoutStepsProps & {
  /** Returns whether the delivery choice is complete. Otherwise it shows what is missing. */
  whenSettled: () => Promise<boolean>;
}) {
  const t = useTranslations("orders.checkout");
  const submitLabel = useTranslations("payments")("free");
  const verifyLabels = useVerifyLabels();
  const navigate = useNavigate();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const key = useRef("");

  async function complete() {
    setProblem(null);
    if (!(await whenSettled())) return;
    setPending(true);
    key.current ||= newIdempotencyKey();
    const result = await api.post(
      "/order/free-payment",
      { order_id: order.order_id, final_amount: 0 },
      { networkMessage: network, idempotencyKey: key.current },
    );
    if (result.ok) return navigate(`/payment/success?order_id=${order.order_id}`, { replace: true });
    if (result.code !== "") key.current = "";
    setPending(false);
    setProblem(result.message);
    await reload();
  }

  return (
    <>
      <CheckoutStep number={1} title={t("step_email")}>
        <CheckoutEmail order={order} account={account} network={network} onChanged={setOrder} />
        {delivery}
      </CheckoutStep>
      <CheckoutStep number={2} title={t("step_review_free")}>
        <OrderSummary order={order} total={false} />
        {!account.verified && <VerifyEmail email={account.email} labels={verifyLabels} />}
        {problem !== null && (
          <Notice kind="bad" live>
            {problem}
          </Notice>
        )}
      </CheckoutStep>
      <CheckoutBar order={order} onEnd={() => void reload()}>
        <Button look="primary" large pending={pending} disabled={!account.verified} onClick={complete}>
          {submitLabel}
        </Button>
      </CheckoutBar>
    </>
  );
}
