"use client";

import { useState } from "react";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { useOwnEmail } from "@/components/accounts/use-own-email";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { EmailInput, TextArea, TextInput } from "@/components/ui/text-input";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import type { ContactLabels } from "./help-screen";

/** Writes to the shop's support. What was typed is kept after a failed submission. */
export function ContactForm({ labels }: { labels: ContactLabels }) {
  const { form, errors, show, showError, problem, pending, run, post, formProps } = useForm(labels.network);
  const [sent, setSent] = useState<{ email: string; reference: string; conversation: string | null }>();
  useOwnEmail(form);

  function submit(text: ReadField) {
    const [email, message] = [text("email").trim(), text("message").trim()];
    const fieldErrors = {
      ...(!isEmailLike(email) && { email: labels.emailInvalid }),
      ...(message === "" && { message: labels.messageMissing }),
    };
    if (Object.keys(fieldErrors).length > 0) return show(fieldErrors);
    return run("send", async () => {
      const body = { email, message, order_number: text("order_number").trim(), website: text("website") };
      const result = await post("/contact/create", body);
      if (!result.ok) return showError(result);
      const { reference, conversation_id: conversation } = result.data;
      setSent({ email, reference, conversation });
    });
  }

  if (sent)
    return (
      <Notice kind="good" live title={labels.sent}>
        <span className="break-all">
          {labels.sentText.replace("%email", () => sent.email).replace("%reference", () => sent.reference)}
        </span>
        {sent.conversation && (
          <Link href={`/messages?id=${sent.conversation}`} className="text-link block">
            {labels.messages}
          </Link>
        )}
      </Notice>
    );
  return (
    <form {...formProps(submit)} className="flex flex-col gap-5">
      <EmailInput label={labels.email} error={errors.email} name="email" required />
      <TextInput
        label={labels.order}
        error={errors.order_number}
        name="order_number"
        autoComplete="off"
        maxLength={64}
      />
      <TextArea
        label={labels.message}
        hint={labels.messageHint}
        error={errors.message}
        name="message"
        rows={6}
        maxLength={4000}
        required
      />
      {/* A honeypot: people neither see nor reach this field. */}
      <div className="sr-only" aria-hidden="true">
        <label>
          {labels.website}
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <ErrorNotice>{problem}</ErrorNotice>
      <Button type="submit" look="primary" large pending={pending !== undefined}>
        {labels.submit}
      </Button>
    </form>
  );
}
