"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Post } from "@/components/accounts/use-calls";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { whenIdle } from "@/components/ui/when-idle";
import type { SignInProviders } from "@/lib/accounts/social-sign-in/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { parsePath } from "@/lib/platform/routing/paths";
import { allowsSignInScripts } from "@/lib/platform/routing/routes";
import { loadGoogle } from "./google-script";
import { GoogleLogo } from "./provider-logos";
import type { SocialLabels } from "./social-section";

type Props = {
  provider: NonNullable<SignInProviders["google"]>;
  labels: SocialLabels;
  pending: boolean;
  post: Post;
  /** Signs in with the token. `prepareRetry` renders the button again after a failure. */
  onToken: (token: string, prepareRetry: () => Promise<void>) => void;
  /** Continues on a document that may load the script. */
  onBlocked: () => void;
};

/** Google's own button. A placeholder button takes its place until it is loaded and during sign-in. */
export function SocialGoogle({ provider, labels, pending, post, onToken, onBlocked }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const google = useGoogle(provider, container, {
    post,
    onBlocked,
    onToken: (token) => onToken(token, () => google.prepare()),
  });
  const isPending = pending || (google.requested && google.state === "loading");
  const isReady = google.state === "ready" && !pending;
  return (
    <>
      <div className="min-h-11">
        {!isReady && (
          <Button block pending={isPending} onClick={google.onPress}>
            <GoogleLogo />
            {labels.google}
          </Button>
        )}
        {/* Google renders a light button. On a dark page its frame would otherwise have a white background. */}
        <div
          ref={container}
          hidden={!isReady}
          className="flex min-h-11 items-center justify-center"
          style={{ colorScheme: "light" }}
        />
      </div>
      {google.requested && google.state === "failed" && (
        <Notice kind="bad" title={labels.googleFailed} live />
      )}
    </>
  );
}

/** `idle`: the script is not loaded yet. `ready`: Google's own button is rendered. */
type State = "idle" | "loading" | "ready" | "failed";
const LOCALES: Record<Locale, string> = { en: "en", zh: "zh_CN", ja: "ja" };
/** The minimum and maximum width of Google's button, in CSS pixels. */
const [MIN_WIDTH, MAX_WIDTH] = [200, 400];

/** Renders Google's button in `container`, when the browser is idle or on a press, and again by `prepare`. */
function useGoogle(
  { clientId, scriptUrl }: NonNullable<SignInProviders["google"]>,
  container: RefObject<HTMLElement | null>,
  { post, onToken, onBlocked }: Pick<Props, "post" | "onBlocked"> & { onToken: (token: string) => void },
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
    if (!canLoadScript()) onBlocked();
    else if (state !== "loading") void prepare();
  }

  return { state, requested, onPress, prepare };
}

/** The content security policy belongs to the document, so the page that it was opened as decides. */
function canLoadScript(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return !navigation || allowsSignInScripts(parsePath(new URL(navigation.name, location.href).pathname).path);
}
