"use client";

import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import type { MerchantState } from "@/lib/merchants/rules";

/** That a merchant does not sell now, and what staff said about it. Nothing while it sells, or before its first owner. */
export function StateNotice({ state, note = null }: { state: MerchantState; note?: string | null }) {
  const t = useTranslations("console.merchant_home");
  if (state === "active" || state === "invited") return null;
  return (
    <Notice kind="warn" title={t(`state_${state}`)} className="mb-6">
      {note && <p className="wrap-anywhere">{note}</p>}
    </Notice>
  );
}
