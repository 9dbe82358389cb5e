"use client";

import { useState } from "react";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PasswordInput } from "@/components/ui/password-input";
import { serverNow } from "@/components/ui/server-clock";
import { EmailInput } from "@/components/ui/text-input";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import { type AfterSignIn, beforeLeaving, redirectAfterSignIn } from "./after-sign-in";
import type { LoginLabels } from "./login-screen";

/** A refused login. `at` is the time of the refusal, in milliseconds since the epoch. */
type LoginRefusal = { code: string; message: string; retryAfterSeconds?: number; at: number };

/** The email and password form (docs/product.md#72-accounts). Input is kept after a failed submission. */
export function LoginForm({
  labels,
  returnTo,
  defaults,
}: {
  labels: LoginLabels;
  returnTo: AfterSignIn;
  defaults?: { user_email?: string; user_password?: string };
}) {
  const { form, errors, show, pending, run, post, formProps } = useForm(labels.network);
  const [refusal, setRefusal] = useState<LoginRefusal>();

  async function logIn(user_email: string, user_password: string) {
    setRefusal(undefined);
    const result = await post("/auth/login/email", { user_email, user_password });
    if (result.ok) return redirectAfterSignIn(returnTo, post, labels);
    if (result.errors.some(({ path }) => path === "user_email")) show({ user_email: result.message });
    else {
      setRefusal({ ...result, at: serverNow() });
      if (result.code === "40101") form.current?.querySelector<HTMLElement>("[name=user_password]")?.focus();
    }
  }

  function submit(text: ReadField) {
    const email = text("user_email");
    const password = text("user_password");
    const emailError = isEmailLike(email) ? undefined : labels.emailInvalid;
    const passwordError = password ? undefined : labels.passwordMissing;
    if (emailError || passwordError) show({ user_email: emailError, user_password: passwordError });
    else void run("login", () => logIn(email, password));
  }

  return (
    <form {...formProps(submit)} className="flex flex-col gap-5">
      <EmailInput
        label={labels.email}
        error={errors.user_email}
        name="user_email"
        autoComplete="username"
        defaultValue={defaults?.user_email}
        required
      />
      <div className="flex flex-col gap-1">
        <PasswordInput
          label={labels.password}
          error={errors.user_password}
          labels={labels}
          name="user_password"
          defaultValue={defaults?.user_password}
          required
        />
        <Link
          href={`/set-new-password${returnTo.query}`}
          onClickCapture={() => beforeLeaving(returnTo)}
          className="text-link -mb-3 flex min-h-11 items-center self-start"
        >
          {labels.forgot}
        </Link>
      </div>
      {refusal && <LoginError key={refusal.at} refusal={refusal} labels={labels} />}
      <Button type="submit" look="primary" large block pending={pending !== undefined}>
        {labels.submit}
      </Button>
    </form>
  );
}

/** Shows the server's message and the next step: check the input or wait until the lockout ends. */
function LoginError({ refusal, labels }: { refusal: LoginRefusal; labels: LoginLabels }) {
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
