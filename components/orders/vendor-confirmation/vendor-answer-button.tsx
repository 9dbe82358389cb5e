"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { api } from "@/lib/platform/api/client";

type Labels = { press: string; done: string; already: string; network: string };

/**
 * Submits the vendor's answer on a press. A link alone would not be safe because mail programs open links
 * automatically.
 */
export function VendorAnswerButton({ token, labels }: { token: string; labels: Labels }) {
  const [state, setState] = useState<{ pending?: boolean; done?: string; problem?: string }>({});

  async function press() {
    setState({ pending: true });
    const answer = await api.post(
      "/order/vendor-confirmation",
      { token },
      { networkMessage: labels.network },
    );
    if (!answer.ok) return setState({ problem: answer.message });
    setState({ done: answer.data.decided ? labels.done : labels.already });
  }

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
      <Button look="primary" large pending={state.pending} onClick={press}>
        {labels.press}
      </Button>
    </div>
  );
}
