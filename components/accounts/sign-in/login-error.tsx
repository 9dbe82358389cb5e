"use client";

import { useState } from "react";
import { Countdown } from "@/components/ui/countdown";
import { Notice } from "@/components/ui/notice";
import type { LoginLabels } from "./login-screen";

/** A refused login. `at` is the time of the refusal, in milliseconds since the epoch. */
export type LoginRefusal = { code: string; message: string; retryAfterSeconds?: number; at: number };

/** Shows the server's message and the next step: check the input or wait until the lockout ends. */
export function LoginError({ refusal, labels }: { refusal: LoginRefusal; labels: LoginLabels }) {
  const [lockoutEnded, setLockoutEnded] = useState(false);
  const seconds = refusal.retryAfterSeconds;
  return (
    <Notice kind="bad" title={refusal.message} live>
      {refusal.code === "40101" && labels.check}
      {seconds && !lockoutEnded && (
        <>
          <span aria-hidden="true">{labels.wait} </span>
          <Countdown
            now={refusal.at}
            endsAt={refusal.at + seconds * 1000}
            dayUnit={labels.day}
            spoken={labels.waitSpoken}
            onEnd={() => setLockoutEnded(true)}
          />
        </>
      )}
    </Notice>
  );
}
