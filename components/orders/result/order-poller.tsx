"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { api } from "@/lib/platform/api/client";
import { POLLING_INTERVAL_MS } from "@/lib/platform/polling";
import { orderVersion } from "./order-version";

/** Seconds between two polls while codes are allocated, and for a pass without stock (docs/product.md#10-constants). */
const FREQUENT_SECONDS = [0.7, 1, 1.5, 2, 3, 5, 10];
const RARE_SECONDS = [POLLING_INTERVAL_MS / 1000];

/** Polls the order until it changes and then refreshes the page. Renders nothing. */
export function OrderPoller({ orderId, version, soon }: { orderId: string; version: string; soon: boolean }) {
  const router = useRouter();
  const round = useRef(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const delays = soon ? FREQUENT_SECONDS : RARE_SECONDS;
    const scheduleNext = () => {
      const seconds = delays[Math.min(round.current, delays.length - 1)] ?? POLLING_INTERVAL_MS / 1000;
      round.current += 1;
      timer = setTimeout(poll, seconds * 1000);
    };
    const poll = async () => {
      const result = await api.get("/order/detail", { order_id: orderId });
      if (result.ok && orderVersion(result.data) !== version) router.refresh();
      scheduleNext();
    };
    scheduleNext();
    return () => clearTimeout(timer);
  }, [orderId, version, soon, router]);
  return null;
}
