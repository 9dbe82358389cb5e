"use client";

import { useRef } from "react";
import type { Post } from "@/components/accounts/use-calls";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { SignInProviders } from "@/lib/accounts/social-sign-in/rules";
import { GoogleLogo } from "./provider-logos";
import { useGoogle } from "./use-google";

type Props = {
  way: NonNullable<SignInProviders["google"]>;
  labels: { google: string; googleFailed: string };
  pending: boolean;
  post: Post;
  /** Signs in with the token. `again` prepares the button for another attempt after a refusal. */
  onToken: (token: string, again: () => Promise<void>) => void;
};

/** Google's own button. A placeholder button takes its place until it is loaded and during sign-in. */
export function SocialGoogle({ way, labels, pending, post, onToken }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const google = useGoogle(way, place, {
    post,
    onToken: (token) => onToken(token, () => google.prepare()),
  });
  const waits = pending || (google.wanted && google.state === "loading");
  const shown = google.state === "ready" && !pending;
  return (
    <>
      <div className="min-h-11">
        {!shown && (
          <Button block pending={waits} onClick={google.press}>
            <GoogleLogo />
            {labels.google}
          </Button>
        )}
        {/* Google renders a light button. On a dark page its frame would otherwise have a white background. */}
        <div
          ref={place}
          hidden={!shown}
          className="flex min-h-11 items-center justify-center"
          style={{ colorScheme: "light" }}
        />
      </div>
      {google.wanted && google.state === "failed" && <Notice kind="bad" title={labels.googleFailed} live />}
    </>
  );
}
