"use client";

import { useRef } from "react";
import type { Post } from "@/components/accounts/use-calls";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { SignInProviders } from "@/lib/accounts/social-sign-in/rules";
import { GoogleLogo } from "./provider-logos";
import type { SocialLabels } from "./social-section";
import { useGoogle } from "./use-google";

type Props = {
  provider: NonNullable<SignInProviders["google"]>;
  labels: SocialLabels;
  pending: boolean;
  post: Post;
  /** Signs in with the token. `prepareRetry` renders the button again after a failure. */
  onToken: (token: string, prepareRetry: () => Promise<void>) => void;
};

/** Google's own button. A placeholder button takes its place until it is loaded and during sign-in. */
export function SocialGoogle({ provider, labels, pending, post, onToken }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const google = useGoogle(provider, container, {
    post,
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
