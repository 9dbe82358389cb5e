"use client";

import { useState } from "react";
import { askSignIn, type ChosenPass } from "@/components/accounts/in-place/ask-sign-in";
import { usePendingAction } from "@/components/accounts/in-place/pending-action";
import { useSessionSummary } from "@/components/shell/session-summary";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/platform/routing/paths";

type Refusal = { ok: false; code: string; message: string };

/**
 * Runs a button's action with a list of passes, after a sign-in if needed. `action` returns the error, or nothing on
 * success. If the session has expired, asks for the sign-in once more.
 */
export function usePassAction(
  { name, purpose, pass, path }: { name: string; purpose: "cart" | "buy"; pass: ChosenPass; path: string },
  action: () => Promise<Refusal | null>,
) {
  const [state, setState] = useState<{ pending: boolean; problem?: string }>({ pending: false });
  const page = useSurface();
  const isGuest = useSessionSummary()?.signedIn === false;
  const signIn = () => askSignIn({ purpose, pass, returnPath: localizedPath(path, page), action: name });

  async function run(): Promise<void> {
    if (state.pending) return;
    setState({ pending: true });
    let problem: string | undefined;
    try {
      if (isGuest && !(await signIn())) return;
      let refusal = await action();
      if (refusal?.code === "401") refusal = (await signIn()) ? await action() : null;
      problem = refusal?.message;
    } finally {
      setState({ pending: false, ...(problem && { problem }) });
    }
  }

  usePendingAction([name], () => void run());
  return { ...state, run };
}
