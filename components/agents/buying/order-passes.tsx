"use client";

import { useRef } from "react";
import type { ChosenPass } from "@/components/accounts/in-place/ask-sign-in";
import { namedTotal } from "@/components/cart/buy-now";
import { Button } from "@/components/ui/button";
import { useNavigate } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { api } from "@/lib/platform/api/client";
import { usePassAction } from "./use-pass-action";

type Props = {
  passes: { vip_id: number; quantity: number }[];
  /** what the page shows, in dollars */
  total: number;
  pass: ChosenPass;
  path: string;
  labels: { order: string; network: string };
};

/**
 * Places an order of exactly these passes and opens its checkout; the cart stays as it is. If the total has changed,
 * the order is rejected once with the new total, which the next press accepts.
 */
export function OrderPasses({ passes, total, pass, path, labels }: Props) {
  const agreed = useRef(total);
  const navigate = useNavigate();
  const name = `order:${passes.map(({ vip_id, quantity }) => `${vip_id}x${quantity}`).join(",")}`;
  const { pending, problem, run } = usePassAction({ name, purpose: "buy", pass, path }, async () => {
    const body = { passes, use_best_coupon: true, expected_total: agreed.current };
    const result = await api.post("/order/create", body, { networkMessage: labels.network });
    if (!result.ok) {
      agreed.current = namedTotal(result) ?? agreed.current;
      return result;
    }
    navigate(`/checkout?order_id=${result.data.order_id}`);
    return null;
  });
  return (
    <div className="flex flex-col gap-3">
      {problem && <ErrorNotice>{problem}</ErrorNotice>}
      <Button look="primary" large block pending={pending} onClick={() => void run()}>
        {labels.order}
      </Button>
    </div>
  );
}
