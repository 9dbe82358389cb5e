"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Post } from "@/components/accounts/use-calls";
import { useSurface } from "@/components/ui/surface";
import { whenIdle } from "@/components/ui/when-idle";
import type { SignInProviders } from "@/lib/accounts/social-sign-in/rules";
import { loadGoogle } from "./google-script";

/** `idle`: the script is not loaded yet. `ready`: Google's own button is rendered. */
type State = "idle" | "loading" | "ready" | "failed";
const LOCALES = { en: "en", zh: "zh_CN", ja: "ja" };
/** The minimum and maximum width of Google's button, in CSS pixels. */
const [MIN_WIDTH, MAX_WIDTH] = [200, 400];

/** Renders Google's button in `container`, when the browser is idle or on a press, and again by `prepare`. */
export function useGoogle(
  { clientId, scriptUrl }: NonNullable<SignInProviders["google"]>,
  container: RefObject<HTMLElement | null>,
  { post, onToken }: { post: Post; onToken: (token: string) => void },
) {
  const { locale } = useSurface();
  const [state, setState] = useState<State>("idle");
  const [requested, setRequested] = useState(false);
  const latest = useRef({ post, onToken });
  latest.current = { post, onToken };

  const prepare = useCallback(async () => {
    setState("loading");
    try {
      const id = await loadGoogle(scriptUrl);
      const result = await latest.current.post<{ nonce: string }>("/auth/login/google/nonce", {});
      const box = container.current;
      if (!result.ok || !box) return setState("failed");
      const { nonce } = result.data;
      const callback = ({ credential }: { credential: string }) => latest.current.onToken(credential);
      id.initialize({ client_id: clientId, nonce, ux_mode: "popup", callback });
      box.replaceChildren();
      const width = Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, box.parentElement?.clientWidth ?? 0)));
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
  }, [clientId, scriptUrl, locale, container]);

  useEffect(() => (canLoadScript() ? whenIdle(() => void prepare()) : undefined), [prepare]);

  /** Handles a press on the placeholder button. */
  function onPress(): void {
    setRequested(true);
    if (!canLoadScript()) location.reload();
    else if (state !== "loading") void prepare();
  }

  return { state, requested, onPress, prepare };
}

/** The content security policy belongs to the document, so it must have been opened as this page. */
function canLoadScript(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return !navigation || new URL(navigation.name, location.href).pathname === location.pathname;
}
