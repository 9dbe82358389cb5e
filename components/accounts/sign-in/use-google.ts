"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Post } from "@/components/accounts/use-calls";
import { useSurface } from "@/components/ui/surface";
import { whenIdle } from "@/components/ui/when-idle";
import type { SignInProviders } from "@/lib/accounts/social-sign-in/rules";
import { loadGoogle } from "./google-script";

/** `cold`: nothing is loaded yet. `ready`: Google's own button stands in its place. */
type State = "cold" | "loading" | "ready" | "failed";
const LOCALES = { en: "en", zh: "zh_CN", ja: "ja" };
/** Google draws its button between these widths, in CSS pixels. */
const [NARROWEST, WIDEST] = [200, 400];

/**
 * Google's own button in `place`: loaded when the browser has nothing else to do, or at a press. A token that it gives
 * goes to `onToken`; after a refusal `prepare` makes it ready for the next one.
 */
export function useGoogle(
  { clientId, scriptUrl }: NonNullable<SignInProviders["google"]>,
  place: RefObject<HTMLElement | null>,
  { post, onToken }: { post: Post; onToken: (token: string) => void },
) {
  const { locale } = useSurface();
  const [state, setState] = useState<State>("cold");
  const [wanted, setWanted] = useState(false);
  const latest = useRef({ post, onToken });
  latest.current = { post, onToken };

  const prepare = useCallback(async () => {
    setState("loading");
    try {
      const id = await loadGoogle(scriptUrl);
      const answer = await latest.current.post<{ nonce: string }>("/auth/login/google/nonce", {});
      const box = place.current;
      if (!answer.ok || !box) return setState("failed");
      const { nonce } = answer.data;
      const callback = ({ credential }: { credential: string }) => latest.current.onToken(credential);
      id.initialize({ client_id: clientId, nonce, ux_mode: "popup", callback });
      box.replaceChildren();
      const width = Math.round(Math.min(WIDEST, Math.max(NARROWEST, box.parentElement?.clientWidth ?? 0)));
      id.renderButton(box, {
        type: "standard",
        theme: "outline",
        size: "large",
        text: "continue_with",
        shape: "rectangular",
        logo_alignment: "center",
        width,
        locale: LOCALES[locale],
      });
      setState("ready");
    } catch {
      setState("failed");
    }
  }, [clientId, scriptUrl, locale, place]);

  useEffect(() => (mayLoad() ? whenIdle(() => void prepare()) : undefined), [prepare]);

  /** A press on the button that stands there until Google's does. */
  function press(): void {
    setWanted(true);
    if (!mayLoad()) location.reload();
    else if (state !== "loading") void prepare();
  }

  return { state, wanted, press, prepare };
}

/** Only a document that was opened as this page may load Google's script: the policy is the document's. */
function mayLoad(): boolean {
  const [opened] = performance.getEntriesByType("navigation");
  return !opened || new URL(opened.name, location.href).pathname === location.pathname;
}
