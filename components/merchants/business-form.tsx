"use client";

import { type FormEvent, useRef, useState } from "react";
import { useCalls } from "@/components/accounts/use-calls";
import { useFieldErrors } from "@/components/accounts/use-field-errors";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { EmailInput, TextInput } from "@/components/ui/text-input";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import { isPhoneLike, normalizeProductUrl } from "@/lib/merchants/rules";

export type BusinessLabels = {
  email: string;
  url: string;
  urlHint: string;
  phone: string;
  phoneHint: string;
  submit: string;
  done: string;
  doneText: string;
  emailInvalid: string;
  urlInvalid: string;
  phoneInvalid: string;
  network: string;
};

const FIELDS = ["email", "productUrl", "phoneNum"] as const;

/** The merchant application form (docs/product.md#51-fields). Input is kept after a failed submission. */
export function BusinessForm({ labels }: { labels: BusinessLabels }) {
  const form = useRef<HTMLFormElement>(null);
  const { errors, show, clearError } = useFieldErrors(form);
  const { pending, run, post } = useCalls(labels.network);
  const [problem, setProblem] = useState("");
  const [done, setDone] = useState(false);

  async function send(application: Record<(typeof FIELDS)[number], string>) {
    setProblem("");
    const result = await post("/business/register", application);
    if (result.ok) setDone(true);
    else if (result.errors.length > 0)
      show(Object.fromEntries(result.errors.map(({ path, message }) => [path, message])));
    else if (result.code === "409") show({ email: result.message });
    else setProblem(result.message);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const fieldErrors = {
      ...(!isEmailLike(text("email")) && { email: labels.emailInvalid }),
      ...(!normalizeProductUrl(text("productUrl")) && { productUrl: labels.urlInvalid }),
      ...(!isPhoneLike(text("phoneNum")) && { phoneNum: labels.phoneInvalid }),
    };
    if (Object.keys(fieldErrors).length > 0) return show(fieldErrors);
    void run("send", () =>
      send({ email: text("email"), productUrl: text("productUrl"), phoneNum: text("phoneNum") }),
    );
  }

  if (done)
    return (
      <Notice kind="good" live title={labels.done}>
        {labels.doneText}
      </Notice>
    );
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit}
      onChange={clearError}
      className="flex flex-col gap-5"
    >
      <EmailInput label={labels.email} error={errors.email} name="email" required />
      <TextInput
        label={labels.url}
        hint={labels.urlHint}
        error={errors.productUrl}
        name="productUrl"
        type="url"
        inputMode="url"
        autoComplete="url"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={500}
        required
      />
      <TextInput
        label={labels.phone}
        hint={labels.phoneHint}
        error={errors.phoneNum}
        name="phoneNum"
        type="tel"
        autoComplete="tel"
        maxLength={40}
        required
      />
      {problem && (
        <Notice kind="bad" live>
          {problem}
        </Notice>
      )}
      <Button type="submit" look="primary" large pending={pending !== undefined}>
        {labels.submit}
      </Button>
    </form>
  );
}
