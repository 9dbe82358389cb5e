"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { api } from "@/lib/platform/api/client";
import { orderVersion } from "./order-version";

/**
 * Seconds between two polls while codes are allocated, and while a pass waits for stock
 * (docs/product.md#10-constants: 30 s).
 */
const SOON = [0.7, 1, 1.5, 2, 3, 5, 10];
const LATER = [30];

/** Polls the order until it changes and then refreshes the page. Renders nothing. */
export function OrderPoller({ orderId, stamp, soon }: { orderId: string; stamp: string; soon: boolean }) {
  const router = useRouter();
  const round = useRef(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const pauses = soon ? SOON : LATER;
    const next = () => {
      const seconds = pauses[Math.min(round.current, pauses.length - 1)] ?? 30;
      round.current += 1;
      timer = setTimeout(look, seconds * 1000);
    };
    const look = async () => {
      const answer = await api.get("/order/detail", { order_id: orderId });
      if (answer.ok && orderVersion(answer.data) !== stamp) router.refresh();
      next();
    };
    next();
    return () => clearTimeout(timer);
  }, [orderId, stamp, soon, router]);
  return null;
}
