"use client";

import { useState } from "react";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { useOwnEmail } from "@/components/accounts/use-own-email";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { EmailInput, TextArea, TextInput } from "@/components/ui/text-input";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import type { Declared } from "@/lib/orders/withdrawal/contract";
import type { WithdrawLabels } from "./withdraw-screen";

/** What was declared, as it is shown afterwards. */
export type Declaration = Declared & { order: string; email: string };

/** The declaration of a withdrawal. What was typed is kept after a failed submission. */
export function DeclareForm({
  orderId,
  labels,
  onDeclared,
}: {
  orderId: string;
  labels: WithdrawLabels;
  onDeclared: (declaration: Declaration) => void;
}) {
  const { form, errors, show, showError, problem, pending, run, post, formProps } = useForm(labels.network);
  const [order, setOrder] = useState(orderId);
  useOwnEmail(form);

  function submit(text: ReadField) {
    const [name, email, passes] = [text("name").trim(), text("email").trim(), text("passes").trim()];
    const missing = {
      ...(name === "" && { name: labels.missing }),
      ...(order.trim() === "" && { order_id: labels.missing }),
      ...(!isEmailLike(email) && { email: labels.invalidEmail }),
    };
    if (Object.keys(missing).length > 0) return show(missing);
    return run("declare", async () => {
      const result = await post("/order/withdraw/declare", { name, order_id: order.trim(), email, passes });
      if (!result.ok) return showError(result);
      onDeclared({ ...result.data, order: order.trim(), email });
    });
  }

  return (
    <form {...formProps(submit)} className="flex flex-col gap-5">
      <ErrorNotice>{problem}</ErrorNotice>
      <TextInput
        label={labels.name}
        error={errors.name}
        name="name"
        autoComplete="name"
        maxLength={120}
        required
      />
      <TextInput
        label={labels.order}
        hint={labels.orderHint}
        error={errors.order_id}
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
        required
      />
      <TextArea
        label={labels.passes}
        hint={labels.passesHint}
        error={errors.passes}
        name="passes"
        rows={2}
        maxLength={300}
      />
      <p className="text-13 text-quiet">{labels.before}</p>
      <Button type="submit" look="primary" large pending={pending === "declare"}>
        {labels.declare}
      </Button>
    </form>
  );
}
