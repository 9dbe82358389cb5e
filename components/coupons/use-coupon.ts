"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { CouponOffer } from "@/lib/coupons/contract";
import { api } from "@/lib/platform/api/client";
import { removeStoredCoupon, storedCouponCode } from "@/lib/platform/routing/attribution";

/** `lines` identifies the lines that the offer was calculated for. A changed selection requests a new offer. */
export type CouponState = {
  code: string;
  offer: (CouponOffer & { lines: string }) | null;
  problem: { code: string; message: string } | null;
  pending: boolean;
};

const NONE: CouponState = { code: "", offer: null, problem: null, pending: false };
const DEBOUNCE_MS = 300;

/**
 * The coupon of a cart. It is checked again whenever the selected lines change, and kept while it does not apply. A
 * coupon from a link fills the field until it is removed (docs/product.md#24-navigation).
 */
export function useCoupon({
  ids,
  lines,
  whenSettled,
  network,
}: {
  ids: readonly string[];
  lines: string;
  whenSettled: () => Promise<boolean>;
  network: string;
}) {
  const [state, setState] = useState(NONE);
  const latest = useRef({ ids, lines, requestNumber: 0 });
  latest.current.ids = ids;
  latest.current.lines = lines;

  const check = useCallback(
    async (code: string) => {
      latest.current.requestNumber += 1;
      const { requestNumber } = latest.current;
      // A repeated check keeps the previous state until the response arrives. Another code starts with an empty
      // state.
      setState((previous) =>
        previous.code === code ? { ...previous, pending: true } : { ...NONE, code, pending: true },
      );
      await whenSettled();
      const { ids: cart_ids, lines: forLines } = latest.current;
      if (cart_ids.length === 0)
        return setState((previous) =>
          latest.current.requestNumber === requestNumber
            ? { ...previous, offer: null, problem: null, pending: false }
            : previous,
        );
      const body = { coupon_code: code, cart_ids };
      const result = await api.post("/auth/coupon/query", body, { networkMessage: network });
      if (latest.current.requestNumber !== requestNumber) return;
      if (result.ok)
        setState({ code, offer: { ...result.data, lines: forLines }, problem: null, pending: false });
      else setState({ code, offer: null, problem: result, pending: false });
    },
    [whenSettled, network],
  );

  /** Applies another coupon. The coupon from the link is not restored. */
  const apply = useCallback(
    (code: string) => {
      removeStoredCoupon();
      void check(code);
    },
    [check],
  );

  const remove = useCallback(() => {
    latest.current.requestNumber += 1;
    setState(NONE);
    removeStoredCoupon();
  }, []);

  useEffect(() => {
    const linked = storedCouponCode();
    if (linked) void check(linked);
  }, [check]);

  const { code } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new choice of lines is what asks again.
  useEffect(() => {
    if (!code) return;
    const timer = setTimeout(() => void check(code), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [lines]);

  return { state, apply, recheck: check, remove };
}
