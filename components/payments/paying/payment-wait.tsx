"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { useNavigate } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import { isPayable, type OrderStatus } from "@/lib/orders/rules";
import { usePayment } from "./use-payment";

/** Where to write when a paid order is not confirmed. */
export type SupportContact = { orderNumber: string; support: string };

/**
 * Shown while the result is pending. It states what happens and that the shopper may leave the page; and, when the
 * provider has the money and the order is not confirmed, whom to ask.
 */
export function PaymentWait({
  email,
  offline,
  unconfirmed,
  contact,
  onLook,
}: {
  email: string;
  offline: boolean;
  unconfirmed?: boolean;
  contact: SupportContact;
  onLook: () => void;
}) {
  const t = useTranslations("payments.wait");
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    container.current?.scrollIntoView({ block: "center" });
  }, []);
  if (unconfirmed) return <Unconfirmed {...contact} onLook={onLook} />;
  return (
    <div
      ref={container}
      role="status"
      className="flex flex-col items-center gap-4 rounded-ticket border border-hairline bg-raised px-6 py-10 text-center"
    >
      <Spinner className="size-8 text-quiet" />
      <h2 className="text-21">{t("title")}</h2>
      <p className="max-w-text">{t("text", { email })}</p>
      <p className="max-w-text text-13 text-quiet">{offline ? t("offline") : t("once")}</p>
    </div>
  );
}

/** The provider has the money, and the order is not confirmed yet. The page keeps asking. */
function Unconfirmed({ orderNumber, support, onLook }: SupportContact & { onLook: () => void }) {
  const t = useTranslations("payments.unconfirmed");
  const mail = (text: ReactNode) => (
    <a href={`mailto:${support}?subject=${encodeURIComponent(orderNumber)}`} className="text-link">
      {text}
    </a>
  );
  return (
    <Notice kind="warn" live title={t("title")} action={<Button onClick={onLook}>{t("look")}</Button>}>
      <p>{t("text")}</p>
      <p>{t.rich("contact", { mail, address: support, order: orderNumber })}</p>
    </Notice>
  );
}

/** Shown after returning from a bank's page, until the payment is decided. */
export function PaymentSettling({
  orderId,
  orderNumber,
  email,
  support,
  paid,
}: SupportContact & {
  orderId: string;
  email: string;
  /** The bank's page reported that the payment succeeded. */
  paid: boolean;
}) {
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
  const { phase, askNow } = usePayment({ orderId, running: true, paid, onDecided });
  const { offline, unconfirmed } = phase.kind === "waiting" ? phase : { offline: false, unconfirmed: false };
  return (
    <PaymentWait {...{ email, offline, unconfirmed, contact: { orderNumber, support } }} onLook={askNow} />
  );
}
