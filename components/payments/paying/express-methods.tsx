"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

/** The wallets' own buttons, above all other ways to pay. Each pays immediately. */
export function ExpressMethods({ children }: { children: ReactNode }) {
  const t = useTranslations("payments.method");
  return (
    <div className="flex flex-col gap-4">
      <section aria-label={t("express")}>{children}</section>
      <p className="flex items-center gap-4 text-13 text-quiet">
        <span className="h-px flex-1 bg-hairline" />
        {t("or")}
        <span className="h-px flex-1 bg-hairline" />
      </p>
    </div>
  );
}
