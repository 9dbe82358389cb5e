"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { announceCartChange } from "@/components/shell/session-summary";
import { Button } from "@/components/ui/button";
import { useNavigate } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { api } from "@/lib/api-client";
import type { OrderView } from "@/lib/orders/contract";

/** Puts the passes of an order that ended into the cart again, as far as they can be had. */
export function OrderAgain({ order }: { order: Pick<OrderView, "order_products"> }) {
  const t = useTranslations("payments.unpaid");
  const network = useTranslations("errors")("network");
  const navigate = useNavigate();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function add() {
    setPending(true);
    setProblem(null);
    const problems = new Set<string>();
    for (const { product_id, vip_id, quantity } of order.order_products) {
      const body = { product_id, vip_id, quantity };
      const answer = await api.post("/cart/add", body, { networkMessage: network });
      if (!answer.ok) problems.add(answer.message);
    }
    announceCartChange();
    if (problems.size === 0) return navigate("/cart");
    setPending(false);
    setProblem([...problems].join(" "));
  }

  if (problem !== null)
    return (
      <Notice kind="warn" live action={<Button onClick={() => navigate("/cart")}>{t("cart")}</Button>}>
        {t("again_part", { problem })}
      </Notice>
    );
  return (
    <Button look="primary" pending={pending} onClick={add}>
      {t("again")}
    </Button>
  );
}
