"use client";

import type { FormEvent } from "react";
import { CodeStep, type CodeWords } from "@/components/accounts/verification/code-step";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Return } from "@/lib/accounts/sign-in/rules";
import { RegisterFields, type RegisterFieldWords } from "./register-fields";
import { type RegistrationWords, useRegistration } from "./use-registration";

export type RegisterWords = RegistrationWords & {
  fields: RegisterFieldWords;
  code: CodeWords;
  send: string;
  sendHint: string;
  submit: string;
  direct: string;
  directHint: string;
};

/** Opens an account: with a mailed code, which proves the address, or without one. */
export function RegisterForm({ words, back }: { words: RegisterWords; back: Return }) {
  const { form, errors, pending, code, age, taken, problem, start, change } = useRegistration(words, back);
  const way = code ? "email" : "send";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start(way);
  };
  return (
    // `post`: a form sent before this script is there must not write the password into the address.
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit}
      onChange={change}
      className="flex flex-col gap-5"
    >
      <RegisterFields
        words={words.fields}
        errors={age === "under_13" ? { ...errors, age_group: words.faults.under_age } : errors}
        age={age}
        loginHref={taken ? `/login${back.query}` : undefined}
      />
      {code && (
        <CodeStep
          sent={code}
          error={errors.verification_code}
          resending={pending === "send"}
          words={words.code}
          onResend={() => start("send")}
        />
      )}
      {problem && <Notice kind="bad" title={problem} live />}
      <div className="flex flex-col gap-2">
        <Button type="submit" look="primary" large block pending={pending === way}>
          {code ? words.submit : words.send}
        </Button>
        {!code && <p className="text-13 text-quiet">{words.sendHint}</p>}
      </div>
      <div className="flex flex-col gap-2 border-t border-hairline pt-5">
        <Button block pending={pending === "direct"} onClick={() => start("direct")}>
          {words.direct}
        </Button>
        <p className="text-13 text-quiet">{words.directHint}</p>
      </div>
    </form>
  );
}
