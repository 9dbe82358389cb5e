"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { isPayable, type OrderStatus } from "@/lib/orders/rules";
import { api } from "@/lib/platform/api/client";

/**
 * How an attempt to pay went in the browser: `follow` asks the server for the truth, `challenge` needs a second
 * step, `stopped` changed nothing (a wallet that was closed).
 */
export type PaymentAttemptResult = "follow" | "challenge" | "stopped" | { problem: string };
export type AttemptPayment = () => Promise<PaymentAttemptResult>;

export type PaymentPhase =
  | { kind: "ready" }
  /** `slow`: the provider's script or the bank takes its time; one may look where the payment stands */
  | { kind: "sending"; slow: boolean }
  | { kind: "challenge" }
  /** the answer takes its time; `offline` when even the asking fails */
  | { kind: "waiting"; offline: boolean };

/** After this long the button's own spinner gives way to the calm page. */
const SLOW_AFTER_MS = 2500;
/** An attempt that takes longer than this in the browser says so: a bank's window may wait behind others. */
const SLOW_ATTEMPT_MS = 20_000;
/** Pauses between two questions, in milliseconds; the last one repeats. */
const PAUSES_MS = [300, 500, 800, 1200, 2000, 3000, 5000, 8000, 10_000];
const READY: PaymentPhase = { kind: "ready" };

/**
 * One payment from the press of the button to the truth. Whatever the browser believes, only the answer of
 * `/order/update-status` counts; `onAnswer` is called with it once it is no longer "processingPayment", and may
 * answer what to tell the shopper. `tried`: something was tried since the page was opened, or was under way then.
 */
export function usePayment({
  orderId,
  running,
  onAnswer,
}: {
  orderId: string;
  /** A payment is under way already: the page was loaded again. */
  running: boolean;
  onAnswer: (status: OrderStatus) => Promise<string | null>;
}) {
  const [phase, setPhase] = useState<PaymentPhase>(running ? { kind: "waiting", offline: false } : READY);
  const [problem, setProblem] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const busy = useRef(false);
  const alive = useRef(true);

  const follow = useCallback(async () => {
    const status = await truth(orderId, () => alive.current, setPhase);
    if (status === null) return;
    setProblem(await onAnswer(status));
    // A paid order leaves for its own page: until then nothing can be pressed.
    if (isPayable(status) || status === "cancelled") setPhase(READY);
  }, [orderId, onAnswer]);

  const pay = useCallback(
    async (attempt: AttemptPayment) => {
      if (busy.current) return;
      busy.current = true;
      setTried(true);
      setProblem(null);
      setPhase({ kind: "sending", slow: false });
      const late = setTimeout(
        () => setPhase((now) => (now.kind === "sending" ? { kind: "sending", slow: true } : now)),
        SLOW_ATTEMPT_MS,
      );
      const attempted = await attempt().catch((): PaymentAttemptResult => "follow"); // the server knows what came of it
      clearTimeout(late);
      if (attempted === "follow") await follow();
      else if (attempted === "challenge") setPhase({ kind: "challenge" });
      else {
        setPhase(READY);
        if (attempted !== "stopped") setProblem(attempted.problem);
      }
      busy.current = false;
    },
    [follow],
  );

  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  useEffect(() => {
    if (!running || busy.current) return;
    busy.current = true;
    setTried(true);
    setPhase({ kind: "waiting", offline: false });
    void follow().finally(() => {
      busy.current = false;
    });
  }, [running, follow]);

  /** Looks where a slow attempt stands; should it end later it is followed all the same. */
  const look = useCallback(async () => {
    await follow();
    busy.current = false;
  }, [follow]);

  return { phase, problem, tried, pay, look, leaveChallenge: () => setPhase(READY) };
}

/** Asks until the payment is decided, ever less often; null when the page is gone. */
async function truth(
  orderId: string,
  isAlive: () => boolean,
  show: (phase: PaymentPhase) => void,
): Promise<OrderStatus | null> {
  const since = Date.now();
  for (let round = 0; isAlive(); round += 1) {
    const answer = await api.post("/order/update-status", {
      order_id: orderId,
      status: "processingPayment" satisfies OrderStatus,
    });
    if (!isAlive()) return null;
    if (answer.ok && answer.data.status !== "processingPayment") return answer.data.status;
    if (!answer.ok || Date.now() - since > SLOW_AFTER_MS) show({ kind: "waiting", offline: !answer.ok });
    await new Promise((resume) => setTimeout(resume, PAUSES_MS[Math.min(round, PAUSES_MS.length - 1)]));
  }
  return null;
}
