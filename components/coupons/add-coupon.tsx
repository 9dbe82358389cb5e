"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextInput } from "@/components/ui/text-input";
import { BindDialog } from "./bind-coupon";

/** Adds a coupon to the account: the code, then the question whether it shall work here only. */
export function AddCoupon() {
  const t = useTranslations("coupons.add");
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<string>();
  const [asking, setAsking] = useState<string | null>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("coupon_code")).trim();
    if (code) return setAsking(code);
    setError(t("missing"));
    form.current?.querySelector("input")?.focus();
  }

  return (
    <>
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        onChange={() => setError(undefined)}
        className="flex items-start gap-2 max-sm:flex-col max-sm:items-stretch"
      >
        <TextInput
          label={t("code")}
          hideLabel
          placeholder={t("code")}
          error={error}
          name="coupon_code"
          maxLength={60}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="min-w-0 flex-1"
        />
        <Button type="submit">{t("submit")}</Button>
      </form>
      <BindDialog
        code={asking}
        onClose={() => setAsking(null)}
        onBound={() => {
          setAsking(null);
          form.current?.reset();
          router.refresh();
        }}
      />
    </>
  );
}
