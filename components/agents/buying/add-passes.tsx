"use client";

import { useRef } from "react";
import type { ChosenPass } from "@/components/accounts/in-place/ask-sign-in";
import { announceCartChange } from "@/components/shell/session-summary";
import { Button, type ButtonLook } from "@/components/ui/button";
import { useNavigate } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";
import { usePassAction } from "./use-pass-action";

export type PassLine = { product_id: number; vip_id: number; quantity: number };
export type AddLabels = { add: string; added: string; someAdded: string; network: string };
type Props = {
  lines: readonly PassLine[];
  /** the first pass, for the in-place sign-in form */
  pass: ChosenPass;
  /** the page's own address, without language */
  path: string;
  look?: ButtonLook;
  labels: AddLabels;
};

/**
 * Adds all passes of a list to the cart and opens it. Passes that were added before an error are not added twice.
 * Before hydration it links to the cart.
 */
export function AddPasses({ lines, pass, path, look = "primary", labels }: Props) {
  const added = useRef(new Set<number>());
  const navigate = useNavigate();
  const name = `cart:${lines.map(({ vip_id, quantity }) => `${vip_id}x${quantity}`).join(",")}`;
  const { pending, problem, run } = usePassAction({ name, purpose: "cart", pass, path }, async () => {
    for (const line of lines) {
      if (added.current.has(line.vip_id)) continue;
      const result = await api.post("/cart/add", line, { networkMessage: labels.network });
      if (!result.ok) return result;
      added.current.add(line.vip_id);
      announceCartChange(result.data.total);
    }
    showToast(labels.added, "good");
    navigate("/cart");
    return null;
  });
  const done = added.current.size;
  return (
    <div className="flex flex-col gap-3">
      {problem && (
        <ErrorNotice>
          {problem}
          {done > 0 &&
            ` ${labels.someAdded.replace("%done", String(done)).replace("%all", String(lines.length))}`}
        </ErrorNotice>
      )}
      <form
        action="/cart"
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
