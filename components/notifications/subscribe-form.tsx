"use client";

import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { EmailInput } from "@/components/ui/text-input";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import { lazyPost } from "@/lib/platform/api/lazy-client";
import type { SubscribeLabels } from "./subscribe-section";

/** Subscribes to discount alerts. The first submit loads the API client, which keeps the page small. */
export function SubscribeForm({ labels }: { labels: SubscribeLabels }) {
  const form = useRef<HTMLFormElement>(null);
  const [state, setState] = useState<"open" | "pending" | "sent">("open");
  const [error, setError] = useState<string>();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email")).trim();
    if (!isEmailLike(email)) return fail(labels.invalid);
    setState("pending");
    setError(undefined);
    const body = { email, topic: "discounts" as const };
    const result = await lazyPost("/subscription/create", body, labels.network);
    if (result.ok) setState("sent");
    else fail(result.message);
  }

  function fail(message: string) {
    setState("open");
    setError(message);
    form.current?.querySelector("input")?.focus();
  }

  if (state === "sent")
    return (
      <p role="status" className="flex gap-2.5">
        <Icon name="mail" className="mt-0.5 text-good" />
        {labels.sent}
      </p>
    );
  return (
    <form
      ref={form}
      action="/api/v1/subscription/create"
      method="post"
      noValidate
      onSubmit={submit}
      onChange={() => setError(undefined)}
      className="flex items-start gap-2 max-sm:flex-col max-sm:items-stretch"
    >
      <EmailInput
        label={labels.label}
        hideLabel
        placeholder={labels.label}
        error={error}
        name="email"
        required
        className="min-w-0 flex-1"
      />
      <Button type="submit" pending={state === "pending"}>
        {labels.submit}
      </Button>
    </form>
  );
}
