"use client";

import { useRouter } from "next/navigation";
import { useCallback, useRef, useState } from "react";
import { announceCartChange } from "@/components/shell/session-summary";
import { useNavigate } from "@/components/ui/link";
import { useReloadOnRestore } from "@/components/ui/use-reload-on-restore";
import type { CartItem } from "@/lib/cart/contract";
import { api, newIdempotencyKey } from "@/lib/platform/api/client";
import { removeStoredCoupon } from "@/lib/platform/routing/attribution";
import { selectLines } from "./selected-lines";

/**
 * Creates the order of the selected lines and navigates to its checkout. It is pending from the first press until the
 * new page loads. After a lost response, the same lines are sent with the same key, so only one order is created.
 */
export function useCheckOut({
  items,
  couponCode,
  whenSettled,
  showProblem,
  network,
}: {
  items: readonly CartItem[];
  /** The coupon whose discount is included in the total. */
  couponCode?: string;
  whenSettled: () => Promise<boolean>;
  showProblem: (problem: string) => void;
  network: string;
}) {
  const navigate = useNavigate();
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const latest = useRef({ items, couponCode });
  latest.current = { items, couponCode };
  const lastSubmission = useRef({ lines: "", key: "" });

  // After the checkout the ordered lines are no longer in the cart.
  useReloadOnRestore();

  const checkOut = useCallback(async () => {
    setPending(true);
    const accepted = await whenSettled();
    const { ids } = selectLines(latest.current.items);
    if (!accepted || ids.length === 0) return setPending(false);
    const body = { cart_record_ids: ids, coupon_code: latest.current.couponCode };
    const lines = JSON.stringify(body);
    if (lastSubmission.current.lines !== lines) lastSubmission.current = { lines, key: newIdempotencyKey() };
    const options = { networkMessage: network, idempotencyKey: lastSubmission.current.key };
    const result = await api.post("/order/create", body, options);
    if (result.ok) {
      removeStoredCoupon();
      announceCartChange();
      return navigate(`/checkout?order_id=${result.data.order_id}`);
    }
    // Without a response the order may exist. Only in that case is the key kept for the next attempt.
    if (result.code !== "") lastSubmission.current = { lines: "", key: "" };
    setPending(false);
    showProblem(result.message);
    router.refresh();
  }, [whenSettled, showProblem, network, navigate, router]);

  return { pending, checkOut };
}
