"use client";

import { useState } from "react";
import { signupSource } from "@/components/accounts/registration/signup-source";
import { useCalls } from "@/components/accounts/use-calls";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/platform/routing/paths";
import { beforeLeaving, redirectAfterSignIn } from "./after-sign-in";
import { GithubLogo } from "./provider-logos";
import { SocialGoogle } from "./social-google";
import type { SocialProps } from "./social-section";

/** The sign-in providers besides email and password. Each redirects to the same return address as the login form. */
export function SocialSignIn({ providers, returnTo, labels }: SocialProps) {
  const page = useSurface();
  const { surface } = page;
  const { pending, run, post } = useCalls(labels.network);
  const [problem, setProblem] = useState<string>();
  const signupFields = () => ({
    ...signupSource("email"),
    ...(returnTo.invite && { invited_account: returnTo.invite }),
  });

  const signInWithGoogle = (google_token: string, prepareRetry: () => Promise<void>) =>
    run("google", async () => {
      setProblem(undefined);
      const result = await post("/auth/login/google", { google_token, ...signupFields() });
      if (result.ok) return redirectAfterSignIn(returnTo, post, labels);
      setProblem(result.message);
      await prepareRetry();
    });

  /** Google's script may run on documents of some pages only. In place the login page takes over. */
  function openLoginPage(): void {
    beforeLeaving(returnTo);
    if ("onLeave" in returnTo) location.assign(localizedPath(`/login${returnTo.query}`, page));
    else location.reload();
  }

  const signInWithGithub = () =>
    run("github", async () => {
      setProblem(undefined);
      const returnFields = Object.fromEntries(new URLSearchParams(returnTo.query));
      const result = await post("/auth/login/github", { ...returnFields, surface, ...signupFields() });
      if (!result.ok) return setProblem(result.message);
      beforeLeaving(returnTo);
      location.assign(result.data.url);
      return "leaving";
    });

  return (
    <div className="flex flex-col gap-3">
      {providers.google && (
        <SocialGoogle
          provider={providers.google}
          labels={labels}
          pending={pending === "google"}
          post={post}
          onToken={signInWithGoogle}
          onBlocked={openLoginPage}
        />
      )}
      {providers.github && (
        <Button block pending={pending === "github"} onClick={signInWithGithub}>
          <GithubLogo />
          {labels.github}
        </Button>
      )}
      {problem && <Notice kind="bad" title={problem} live />}
    </div>
  );
}
