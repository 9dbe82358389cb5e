import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import type { OrderDetail } from "@/lib/orders/contract";
import type { CheckoutAccount } from "./checkout-email";

/** The props that the steps of a free and of a paid order share. */
export type CheckoutStepsProps = {
  order: OrderDetail;
  account: CheckoutAccount;
  setOrder: (order: OrderDetail) => void;
  reload: () => Promise<unknown>;
  network: string;
  /** The delivery choices, shown below the delivery email. */
  delivery: ReactNode;
};

/** A numbered step of the checkout. All steps are on one page. */
export function CheckoutStep({
  number,
  title,
  children,
}: {
  number: number;
  title: string;
  children: ReactNode;
}) {
  const t = useTranslations("orders.checkout");
  const id = useId();
  return (
    <section aria-labelledby={id} className="@container flex flex-col gap-4">
      <h2 id={id} className="flex items-center gap-3 text-21">
        <span
          aria-hidden="true"
          className="figures grid size-7 flex-none place-items-center rounded-full border border-control text-15"
        >
          {number}
        </span>
        <span className="sr-only">{t("step", { number })} </span>
        {title}
      </h2>
      {children}
    </section>
  );
}
