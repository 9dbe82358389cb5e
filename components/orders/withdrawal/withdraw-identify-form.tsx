"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeInput } from "@/components/ui/code-input";
import { Notice } from "@/components/ui/notice";
import { EmailInput, TextInput } from "@/components/ui/text-input";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import type { WithdrawView } from "@/lib/orders/withdrawal/contract";
import type { WithdrawLabels } from "./use-withdraw-labels";

type Body = { order_id: string; email: string; code?: string };

/** The order number and the code that verifies its ownership. */
export function WithdrawIdentifyForm({
  orderId,
  sent,
  labels,
  pending,
  problem,
  onSend,
  onBack,
}: {
  orderId: string;
  /** Set when a code was sent. It does not reveal whether the order exists. */
  sent: WithdrawView | null;
  labels: WithdrawLabels;
  pending: boolean;
  problem: string | null;
  onSend: (body: Body) => void;
  onBack: () => void;
}) {
  const [order, setOrder] = useState(orderId);
  const [email, setEmail] = useState("");
  const [errors, setErrors] = useState<{ order?: string; email?: string }>({});

  function submit(event: FormEvent) {
    event.preventDefault();
    const body = { order_id: order.trim(), email: email.trim().toLowerCase() };
    const invalidFields = {
      ...(!body.order_id && { order: labels.missing }),
      ...(!isEmailLike(body.email) && { email: labels.invalidEmail }),
    };
    setErrors(invalidFields);
    if (Object.keys(invalidFields).length === 0 && !pending) onSend(body);
  }

  if (sent?.email)
    return (
      <CodeForm
        labels={labels}
        email={sent.email}
        pending={pending}
        problem={problem}
        onCode={(code) => onSend({ order_id: sent.order_id, email: sent.email ?? "", code })}
        onBack={onBack}
      />
    );
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {problem !== null && (
        <Notice kind="bad" live>
          {problem}
        </Notice>
      )}
      <TextInput
        label={labels.order}
        hint={labels.orderHint}
        error={errors.order}
        name="order_id"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={order}
        onChange={(event) => setOrder(event.target.value)}
        required
      />
      <EmailInput
        label={labels.email}
        hint={labels.emailHint}
        error={errors.email}
        name="email"
        inputMode="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        required
      />
      <Button type="submit" look="primary" large pending={pending}>
        {labels.send}
      </Button>
    </form>
  );
}

function CodeForm({
  labels,
  email,
  pending,
  problem,
  onCode,
  onBack,
}: {
  labels: WithdrawLabels;
  email: string;
  pending: boolean;
  problem: string | null;
  onCode: (code: string) => void;
  onBack: () => void;
}) {
  const [code, setCode] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending && code.length === 6) onCode(code);
  };
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <p role="status">{labels.codeSent.replace("%s", () => email)}</p>
      <CodeInput label={labels.code} error={problem ?? undefined} autoFocus onCode={setCode} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" pending={pending} disabled={code.length < 6}>
          {labels.codeNext}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {labels.back}
        </Button>
      </div>
    </form>
  );
}
