"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextInput } from "@/components/ui/text-input";
import { BindDialog, useBind } from "./bind-coupon";

/** Adds a coupon to the account: it looks up the code and then asks for confirmation. */
export function AddCoupon() {
  const t = useTranslations("coupons.add");
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<string>();
  const binding = useBind(() => {
    form.current?.reset();
    router.refresh();
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("coupon_code")).trim();
    if (code) return binding.pending ? undefined : void binding.lookUp(code);
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
        <Button type="submit" pending={binding.pending && binding.step === null}>
          {t("submit")}
        </Button>
      </form>
      <BindDialog binding={binding} />
    </>
  );
}
