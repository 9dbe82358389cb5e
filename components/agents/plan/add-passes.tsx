"use client";

import { type ReactNode, useRef, useState } from "react";
import { askSignIn, type ChosenPass } from "@/components/accounts/in-place/ask-sign-in";
import { usePendingAction } from "@/components/accounts/in-place/pending-action";
import { announceCartChange, useSessionSummary } from "@/components/shell/session-summary";
import { Button, type ButtonLook } from "@/components/ui/button";
import { useNavigate } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";
import { localizedPath } from "@/lib/platform/routing/paths";

export type PassLine = { product_id: number; vip_id: number; quantity: number };
export type AddLabels = { add: string; added: string; someAdded: string; network: string };

/**
 * Puts all passes of a list into the cart, after the sign-in that this needs, and opens the cart. What was added before a refusal is not
 * added twice. Before the script runs it is a link to the page that shows these passes.
 */
export function AddPasses({
  lines,
  pass,
  path,
  href,
  look = "primary",
  labels,
}: {
  lines: readonly PassLine[];
  /** the first of them, for the form in place */
  pass: ChosenPass;
  /** the page's own address, without language */
  path: string;
  href: string;
  look?: ButtonLook;
  labels: AddLabels;
}) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ReactNode>();
  const added = useRef(new Set<number>());
  const navigate = useNavigate();
  const page = useSurface();
  const isGuest = useSessionSummary()?.signedIn === false;
  const name = `passes:${lines.map(({ vip_id, quantity }) => `${vip_id}x${quantity}`).join(",")}`;

  const signIn = () =>
    askSignIn({ purpose: "cart", pass, returnPath: localizedPath(path, page), action: name });

  async function run(): Promise<void> {
    if (pending) return;
    setPending(true);
    setProblem(undefined);
    try {
      if (isGuest && !(await signIn())) return;
      for (const line of lines) {
        if (added.current.has(line.vip_id)) continue;
        const send = () => api.post("/cart/add", line, { networkMessage: labels.network });
        let result = await send();
        if (!result.ok && result.code === "401") {
          if (!(await signIn())) return;
          result = await send();
        }
        if (!result.ok) return setProblem(refusal(result.message));
        added.current.add(line.vip_id);
        announceCartChange(result.data.total);
      }
      showToast(labels.added, "good");
      navigate("/cart");
    } finally {
      setPending(false);
    }
  }

  const refusal = (message: string) => (
    <ErrorNotice>
      {message}
      {added.current.size > 0 &&
        ` ${labels.someAdded.replace("%done", String(added.current.size)).replace("%all", String(lines.length))}`}
    </ErrorNotice>
  );

  usePendingAction([name], () => void run());
  return (
    <div className="flex flex-col gap-3">
      {problem}
      <form
        action={href}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Button type="submit" look={look} large block pending={pending}>
          {labels.add}
        </Button>
      </form>
    </div>
  );
}
