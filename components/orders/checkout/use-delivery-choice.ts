"use client";

import { useRef, useState } from "react";
import { showToast } from "@/components/ui/toast";
import type { OrderDetail } from "@/lib/orders/contract";
import { isPayable } from "@/lib/orders/rules";
import { api } from "@/lib/platform/api/client";

type Choice = { keep_in_library?: boolean; immediate_delivery?: boolean };

export type DeliveryChoice = ReturnType<typeof useDeliveryChoice>;

/**
 * The delivery choices of the order. Each change is saved immediately, and payment waits for the last save. `read`
 * reloads the order, because a refused change may mean that another tab has paid it.
 */
export function useDeliveryChoice(
  order: OrderDetail,
  { network, read }: { network: string; read: () => Promise<OrderDetail | null> },
) {
  const lines = order.order_products;
  const [agreed, setAgreed] = useState(lines.every((line) => line.immediate_consent_at !== null));
  const [keep, setKeep] = useState(lines.some((line) => line.keep_in_library));
  const [missing, setMissing] = useState(false);
  const saving = useRef<Promise<boolean>>(Promise.resolve(true));
  const box = useRef<HTMLDivElement>(null);

  async function save(before: Promise<boolean>, choice: Choice, undo: () => void): Promise<boolean> {
    await before;
    const body = { order_id: order.order_id, ...choice };
    const answer = await api.post("/order/update-delivery", body, { networkMessage: network });
    if (answer.ok) return true;
    const now = await read();
    if (now && !isPayable(now.status)) return false; // The page shows the new state of the order.
    undo();
    if (now?.status !== "processingPayment") showToast(answer.message, "bad");
    return false;
  }

  return {
    agreed,
    keep,
    missing,
    box,
    agree(yes: boolean) {
      setAgreed(yes);
      setMissing(false);
      saving.current = save(saving.current, { immediate_delivery: yes }, () => setAgreed(!yes));
    },
    keepCodes(yes: boolean) {
      setKeep(yes);
      saving.current = save(saving.current, { keep_in_library: yes }, () => setKeep(!yes));
    },
    /** Returns false and scrolls to the checkbox while the buyer has not consented and the server has no consent. */
    async settled(): Promise<boolean> {
      if (agreed) return saving.current;
      setMissing(true);
      box.current?.scrollIntoView({ block: "center" });
      box.current?.querySelector<HTMLInputElement>("input[name=agree]")?.focus();
      return false;
    },
  };
}
