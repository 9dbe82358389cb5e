"use client";

import { useEffect, useState } from "react";
import { useSessionSummary } from "@/components/shell/session-summary";
import { Icon } from "@/components/ui/icon";
import { useNavigate } from "@/components/ui/link";
import { showToast } from "@/components/ui/toast";
import type { HeartProps } from "./use-heart";
import { changeWish, useWishes } from "./wishes";

/** The button that saves a product on the wishlist or removes it. `wide` shows its text. */
export function Heart({ productId, name, labels, wide = false, press = false }: HeartProps) {
  const session = useSessionSummary();
  const wishes = useWishes(session?.signedIn);
  const saved = wishes?.includes(productId) ?? false;
  /** The requested action, run once the list is known. */
  const [wanted, setWanted] = useState<"save" | "remove" | null>(press ? "save" : null);
  const navigate = useNavigate();

  async function change(save: boolean) {
    const signedIn = session?.signedIn === true;
    const problem = await changeWish(productId, { saved: save, signedIn, network: labels.network });
    if (problem) showToast(problem, "bad");
    else if (save) showToast(labels.added, "good", { text: labels.view, run: () => navigate("/wishlist") });
    else
      showToast(labels.removed, "plain", { text: labels.undo, run: () => void change(true), undoes: true });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each press
  useEffect(() => {
    if (!wanted || !wishes) return;
    setWanted(null);
    if (saved !== (wanted === "save")) void change(wanted === "save");
  }, [wanted, wishes]);

  return (
    <button
      type="button"
      aria-pressed={saved}
      aria-label={wide ? undefined : `${labels.save}: ${name}`}
      className={wide ? "button button-quiet" : "heart"}
      onClick={() => setWanted(saved ? "remove" : "save")}
    >
      <Icon name="heart" className={saved ? "fill-current" : undefined} />
      {wide && (saved ? labels.saved : labels.save)}
    </button>
  );
}
