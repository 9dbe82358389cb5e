"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { isPayable, type OrderStatus } from "@/lib/orders/rules";
import type { SandboxOutcome } from "@/lib/payments/rules";
import { api } from "@/lib/platform/api/client";
import type { PaymentMethod } from "./payment-methods";

/**
 * The client-side result of a payment attempt. `submitted`: the server is asked for the result. `paid`: the provider told
 * the browser that it has the money; the server is asked too. `challenge`: a second step is needed. `stopped`: nothing
 * changed, for example because a wallet was closed.
 */
export type PaymentAttemptResult = "submitted" | "paid" | "challenge" | "stopped" | { problem: string };
export type AttemptPayment = () => Promise<PaymentAttemptResult>;

type PaymentPhase =
  | { kind: "ready" }
  /** `slow`: the provider's script or the bank is slow, and the shopper can check the payment's state. */
  | { kind: "sending"; slow: boolean }
  | { kind: "challenge" }
  /**
   * The result is pending. `offline`: the status requests fail too. `unconfirmed`: the provider has the money, but the
   * shop has not confirmed the order for a while.
   */
  | { kind: "waiting"; offline: boolean; unconfirmed?: boolean };

/** After this delay the waiting page replaces the button's spinner. */
const SLOW_AFTER_MS = 2500;
/** After this delay an order that the provider reported as paid counts as not confirmed. */
const UNCONFIRMED_AFTER_MS = 10_000;
/** An attempt that takes longer than this shows a hint, because a bank's window may be hidden behind others. */
const SLOW_ATTEMPT_MS = 20_000;
/** Delays between two status requests, in milliseconds. The last one repeats. */
const POLL_DELAYS_MS = [300, 500, 800, 1200, 2000, 3000, 5000, 8000, 10_000];
const READY: PaymentPhase = { kind: "ready" };

/**
 * A payment from the button press to its result. Only the response of `/order/update-status` determines the result.
 * `onDecided` is called with it once it is no longer "processingPayment", and may return a message for the shopper.
 * `attempted`: an attempt was made since the page was opened or was running at that time.
 */
export function usePayment({
  orderId,
  running,
  paid: returnedPaid = false,
  onDecided,
}: {
  orderId: string;
  /** The provider's page led back here with the money taken. */
  paid?: boolean;
  /** A payment is already running because the page was reloaded. */
  running: boolean;
  onDecided: (status: OrderStatus) => Promise<string | null>;
}) {
  const [phase, setPhase] = useState<PaymentPhase>(running ? { kind: "waiting", offline: false } : READY);
  const [problem, setProblem] = useState<string | null>(null);
  const [attempted, setAttempted] = useState(false);
  const busy = useRef(false);
  const alive = useRef(true);

  const paid = useRef(returnedPaid);
  const askNow = useRef(() => {});

  const follow = useCallback(async () => {
    const status = await pollStatus({
      orderId,
      isPaid: () => paid.current,
      isAlive: () => alive.current,
      show: setPhase,
      pause: (milliseconds) =>
        new Promise((resume) => {
          const timer = setTimeout(resume, milliseconds);
          askNow.current = () => {
            clearTimeout(timer);
            resume();
          };
        }),
    });
    if (status === null) return;
    setProblem(await onDecided(status));
    // A paid order navigates to its own page. Until then all controls stay disabled.
    if (isPayable(status) || status === "cancelled") setPhase(READY);
  }, [orderId, onDecided]);

  const pay = useCallback(
    async (attempt: AttemptPayment) => {
      if (busy.current) return;
      busy.current = true;
      setAttempted(true);
      setProblem(null);
      setPhase({ kind: "sending", slow: false });
      const slowTimer = setTimeout(
        () =>
          setPhase((previous) => (previous.kind === "sending" ? { kind: "sending", slow: true } : previous)),
        SLOW_ATTEMPT_MS,
      );
      const outcome = await attempt().catch((): PaymentAttemptResult => "submitted"); // The server knows the result.
      clearTimeout(slowTimer);
      paid.current = outcome === "paid";
      if (outcome === "submitted" || outcome === "paid") await follow();
      else if (outcome === "challenge") setPhase({ kind: "challenge" });
      else {
        setPhase(READY);
        if (outcome !== "stopped") setProblem(outcome.problem);
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
    setAttempted(true);
    setPhase({ kind: "waiting", offline: false });
    void follow().finally(() => {
      busy.current = false;
    });
  }, [running, follow]);

  /** Checks the state of a slow attempt. The attempt is still followed if it ends later. */
  const checkNow = useCallback(async () => {
    await follow();
    busy.current = false;
  }, [follow]);

  return {
    phase,
    problem,
    attempted,
    pay,
    checkNow,
    /** Looks at the order immediately instead of after the next pause. */
    askNow: () => askNow.current(),
    leaveChallenge: () => setPhase(READY),
  };
}

/**
 * Polls with growing delays until the payment is decided. Only the order decides about money that the provider has: an
 * order that then looks unpaid is read again. Resolves with null when the page has been left.
 */
async function pollStatus({
  orderId,
  isPaid,
  isAlive,
  show,
  pause,
}: {
  orderId: string;
  isPaid: () => boolean;
  isAlive: () => boolean;
  show: (phase: PaymentPhase) => void;
  pause: (milliseconds: number) => Promise<void>;
}): Promise<OrderStatus | null> {
  const startedAt = Date.now();
  for (let round = 0; isAlive(); round += 1) {
    const result = await api.post("/order/update-status", {
      order_id: orderId,
      status: "processingPayment" satisfies OrderStatus,
    });
    if (!isAlive()) return null;
    const status = result.ok ? result.data.status : undefined;
    const undecided = status === undefined || status === "processingPayment";
    if (!undecided && !(isPaid() && status === "pending")) return status;
    const waitedMs = Date.now() - startedAt;
    if (!result.ok || waitedMs > SLOW_AFTER_MS)
      show({
        kind: "waiting",
        offline: !result.ok,
        unconfirmed: isPaid() && waitedMs > UNCONFIRMED_AFTER_MS,
      });
    await pause(POLL_DELAYS_MS[Math.min(round, POLL_DELAYS_MS.length - 1)] ?? 0);
  }
  return null;
}

/** Saves the choice to store the card before the payment. Resolves with an error message or null. */
export type PreparePayment = () => Promise<string | null>;

/**
 * The selected payment method and whether to store the card, which `prepare` sends to the provider on payment. They are
 * kept above the form, because the form unmounts during a wait and may return.
 */
export function usePayChoice(orderId: string) {
  const networkMessage = useTranslations("errors")("network");
  const [method, setMethod] = useState<PaymentMethod>("card");
  const [outcome, setOutcome] = useState<SandboxOutcome>("succeeded");
  const [save, setSave] = useState(false);
  const sentChoice = useRef(false);
  const prepare: PreparePayment = useCallback(async () => {
    if (sentChoice.current === save) return null;
    const body = { order_id: orderId, save_card: save, choose_later: true };
    const result = await api.post("/payment/stripe/create-payment-intent", body, { networkMessage });
    if (!result.ok) return result.message;
    sentChoice.current = save;
    return null;
  }, [orderId, networkMessage, save]);
  return { method, setMethod, outcome, setOutcome, save, setSave, prepare };
}
