"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef } from "react";
import { useNavigate } from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";
import { isPayable, type OrderStatus } from "@/lib/orders/rules";
import { usePayment } from "./use-payment";

/** Shown while the result is pending. It states what happens and that the shopper may leave the page. */
export function PaymentWait({ email, offline }: { email: string; offline: boolean }) {
  const t = useTranslations("payments.wait");
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    container.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <div
      ref={container}
      role="status"
      className="flex flex-col items-center gap-4 rounded-ticket border border-hairline bg-raised px-6 py-10 text-center"
    >
      <Spinner size={32} className="text-quiet" />
      <h2 className="text-21">{t("title")}</h2>
      <p className="max-w-text">{t("text", { email })}</p>
      <p className="max-w-text text-13 text-quiet">{offline ? t("offline") : t("once")}</p>
    </div>
  );
}

/** Shown after returning from a bank's page, until the payment is decided. */
export function PaymentSettling({ orderId, email }: { orderId: string; email: string }) {
  const router = useRouter();
  const navigate = useNavigate();
  const onDecided = useCallback(
    async (status: OrderStatus) => {
      if (isPayable(status) || status === "cancelled")
        navigate(`/payment/error?order_id=${orderId}`, { replace: true });
      else router.refresh();
      return null;
    },
    [orderId, router, navigate],
  );
  const { phase } = usePayment({ orderId, running: true, onDecided });
  return <PaymentWait email={email} offline={phase.kind === "waiting" && phase.offline} />;
}
