"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { api } from "@/lib/platform/api/client";

type LinkCall = "confirm" | "unsubscribe" | "vendor-confirmation";
type Action = {
  label: string;
  done: string;
  /** Replaces `done` when an earlier answer already decided. */
  already?: string;
  body?: Record<string, boolean>;
};

/** The actions of an emailed link happen on a press only, because mail programs open links automatically. */
export function LinkAction({
  call,
  token,
  actions,
  network,
}: {
  call: LinkCall;
  token: string;
  actions: readonly Action[];
  network: string;
}) {
  const [state, setState] = useState<{ pending?: number; done?: string; problem?: string }>({});

  const perform = async (action: Action, index: number) => {
    setState({ pending: index });
    setState(await send(call, token, action, network));
  };

  if (state.done)
    return (
      <Notice kind="good" live>
        {state.done}
      </Notice>
    );
  return (
    <div className="flex flex-col items-start gap-4">
      <ErrorNotice>{state.problem}</ErrorNotice>
      {actions.map((action, index) => (
        <Button
          key={action.label}
          look={index === 0 ? "primary" : "secondary"}
          large={index === 0}
          pending={state.pending === index}
          onClick={() => perform(action, index)}
        >
          {action.label}
        </Button>
      ))}
    </div>
  );
}

async function send(call: LinkCall, token: string, { done, already, body }: Action, networkMessage: string) {
  const options = { networkMessage };
  if (call === "vendor-confirmation") {
    const result = await api.post("/order/vendor-confirmation", { token }, options);
    if (!result.ok) return { problem: result.message };
    return { done: result.data.decided ? done : already };
  }
  const result =
    call === "confirm"
      ? await api.get("/subscription/confirm", { token }, options)
      : await api.post("/subscription/unsubscribe", { token, ...body }, options);
  return result.ok ? { done } : { problem: result.message };
}
