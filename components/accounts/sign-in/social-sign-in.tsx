"use client";

import { useState } from "react";
import { signupSource } from "@/components/accounts/registration/signup-source";
import { useCalls } from "@/components/accounts/use-calls";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { redirectAfterSignIn } from "./after-sign-in";
import { GithubLogo } from "./provider-logos";
import { SocialGoogle } from "./social-google";
import type { SignInProps, SocialLabels } from "./social-section";

/** The sign-in providers besides email and password. Each redirects to the same return address as the login form. */
export function SocialSignIn({ providers, returnTo, labels }: SignInProps & { labels: SocialLabels }) {
  const { surface } = useSurface();
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

  const signInWithGithub = () =>
    run("github", async () => {
      setProblem(undefined);
      const returnFields = Object.fromEntries(new URLSearchParams(returnTo.query));
      const result = await post("/auth/login/github", { ...returnFields, surface, ...signupFields() });
      if (!result.ok) return setProblem(result.message);
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
