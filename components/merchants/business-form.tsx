"use client";

import { useState } from "react";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { EmailInput, TextInput } from "@/components/ui/text-input";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import { normalizeProductUrl } from "@/lib/merchants/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { isPhoneLike } from "@/lib/platform/phone-country";
import type { BusinessLabels } from "./business-screen";

/** The merchant application form (docs/product.md#51-fields). Input is kept after a failed submission. */
export function BusinessForm({ labels, locale }: { labels: BusinessLabels; locale: Locale }) {
  const { errors, show, showError, problem, pending, run, post, formProps } = useForm(labels.network);
  const [done, setDone] = useState(false);

  async function send(application: { email: string; productUrl: string; phoneNum: string }) {
    const result = await post("/business/register", application);
    if (result.ok) setDone(true);
    else if (result.code === "409" && result.errors.length === 0) show({ email: result.message });
    else showError(result);
  }

  function submit(text: ReadField) {
    const [email, productUrl, phoneNum] = [
      text("email").trim(),
      text("productUrl").trim(),
      text("phoneNum").trim(),
    ];
    const fieldErrors = {
      ...(!isEmailLike(email) && { email: labels.emailInvalid }),
      ...(!normalizeProductUrl(productUrl) && { productUrl: labels.urlInvalid }),
      ...(!isPhoneLike(phoneNum, locale) && { phoneNum: labels.phoneInvalid }),
    };
    if (Object.keys(fieldErrors).length > 0) return show(fieldErrors);
    return run("send", () => send({ email, productUrl, phoneNum }));
  }

  if (done)
    return (
      <Notice kind="good" live title={labels.done}>
        {labels.doneText}
      </Notice>
    );
  return (
    <form {...formProps(submit)} className="flex flex-col gap-5">
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
      <ErrorNotice>{problem}</ErrorNotice>
      <Button type="submit" look="primary" large pending={pending !== undefined}>
        {labels.submit}
      </Button>
    </form>
  );
}
