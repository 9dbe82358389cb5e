"use client";

import { useState } from "react";
import { signupSource } from "@/components/accounts/registration/signup-source";
import { useCalls } from "@/components/accounts/use-calls";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import type { SignInProviders } from "@/lib/accounts/social-sign-in/rules";
import { redirectAfterSignIn } from "./after-sign-in";
import { GithubLogo } from "./provider-logos";
import { SocialGoogle } from "./social-google";

export type SocialLabels = {
  google: string;
  googleFailed: string;
  github: string;
  added: string;
  network: string;
};

/** The sign-in providers besides email and password. Each redirects to the same return address as the login form. */
export function SocialSignIn({
  ways,
  back,
  labels,
}: {
  ways: SignInProviders;
  back: SignInReturn;
  labels: SocialLabels;
}) {
  const { surface } = useSurface();
  const { pending, run, post } = useCalls(labels.network);
  const [problem, setProblem] = useState<string>();
  const arrival = () => ({ ...signupSource("email"), ...(back.invite && { invited_account: back.invite }) });

  const withGoogle = (google_token: string, again: () => Promise<void>) =>
    run("google", async () => {
      setProblem(undefined);
      const answer = await post("/auth/login/google", { google_token, ...arrival() });
      if (answer.ok) return redirectAfterSignIn(back, post, labels);
      setProblem(answer.message);
      await again();
    });

  const withGithub = () =>
    run("github", async () => {
      setProblem(undefined);
      const wish = Object.fromEntries(new URLSearchParams(back.query));
      const answer = await post("/auth/login/github", { ...wish, surface, ...arrival() });
      if (!answer.ok) return setProblem(answer.message);
      location.assign(answer.data.url);
      return "leaving";
    });

  return (
    <div className="flex flex-col gap-3">
      {ways.google && (
        <SocialGoogle
          way={ways.google}
          labels={labels}
          pending={pending === "google"}
          post={post}
          onToken={withGoogle}
        />
      )}
      {ways.github && (
        <Button block pending={pending === "github"} onClick={withGithub}>
          <GithubLogo />
          {labels.github}
        </Button>
      )}
      {problem && <Notice kind="bad" title={problem} live />}
    </div>
  );
}
