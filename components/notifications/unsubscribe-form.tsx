"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { EmailInput } from "@/components/ui/text-input";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import { api } from "@/lib/platform/api/client";
import type { SubscribeLabels } from "./subscribe-section";

/** Sends the unsubscribe link to an email, so that only its owner can unsubscribe it. */
export function UnsubscribeForm({ labels }: { labels: SubscribeLabels }) {
  const [state, setState] = useState<"open" | "pending" | "sent">("open");
  const [error, setError] = useState<string>();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email")).trim();
    if (!isEmailLike(email)) return setError(labels.invalid);
    setState("pending");
    const result = await api.post("/subscription/unsubscribe", { email }, { networkMessage: labels.network });
    setState(result.ok ? "sent" : "open");
    if (!result.ok) setError(result.message);
  }

  if (state === "sent")
    return (
      <Notice kind="good" live>
        {labels.sent}
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
      <EmailInput label={labels.label} error={error} name="email" required />
      <Button type="submit" look="primary" large pending={state === "pending"}>
        {labels.submit}
      </Button>
    </form>
  );
}
