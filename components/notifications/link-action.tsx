"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { api } from "@/lib/platform/api/client";

type Step = { label: string; done: string; body?: Record<string, boolean> };

/**
 * Performs the action of an emailed link on a press. Opening the page has no effect, because mail programs open links
 * automatically. Each action has its own button. The first is the primary one.
 */
export function LinkAction({
  call,
  token,
  steps,
  network,
}: {
  call: "confirm" | "unsubscribe";
  token: string;
  steps: readonly Step[];
  network: string;
}) {
  const [state, setState] = useState<{ pending?: number; done?: string; problem?: string }>({});

  const run = async (step: Step, index: number) => {
    setState({ pending: index });
    const options = { networkMessage: network };
    const answer =
      call === "confirm"
        ? await api.get("/subscription/confirm", { token }, options)
        : await api.post("/subscription/unsubscribe", { token, ...step.body }, options);
    setState(answer.ok ? { done: step.done } : { problem: answer.message });
  };

  if (state.done)
    return (
      <Notice kind="good" live>
        {state.done}
      </Notice>
    );
  return (
    <div className="flex flex-col items-start gap-4">
      {state.problem && (
        <Notice kind="bad" live>
          {state.problem}
        </Notice>
      )}
      {steps.map((step, index) => (
        <Button
          key={step.label}
          look={index === 0 ? "primary" : "secondary"}
          large={index === 0}
          pending={state.pending === index}
          onClick={() => run(step, index)}
        >
          {step.label}
        </Button>
      ))}
    </div>
  );
}
