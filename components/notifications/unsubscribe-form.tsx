"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { TextInput } from "@/components/ui/text-input";
import { api } from "@/lib/platform/api/client";
import type { SubscribeWords } from "./subscribe-form";

/** Has the unsubscribe link mailed to an address: nobody can end another's mail. */
export function UnsubscribeForm({ words }: { words: SubscribeWords }) {
  const [state, setState] = useState<"open" | "pending" | "sent">("open");
  const [error, setError] = useState<string>();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email")).trim();
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return setError(words.invalid);
    setState("pending");
    const answer = await api.post("/subscription/unsubscribe", { email }, { networkMessage: words.network });
    setState(answer.ok ? "sent" : "open");
    if (!answer.ok) setError(answer.message);
  }

  if (state === "sent")
    return (
      <Notice kind="good" live>
        {words.sent}
      </Notice>
    );
  return (
    <form
      method="post"
      noValidate
      onSubmit={submit}
      onChange={() => setError(undefined)}
      className="flex flex-col gap-5"
    >
      <TextInput
        label={words.label}
        error={error}
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
      />
      <Button type="submit" look="primary" large pending={state === "pending"}>
        {words.submit}
      </Button>
    </form>
  );
}
