"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { showToast } from "@/components/ui/toast";
import type { CouponPreview, CouponView } from "@/lib/coupons/contract";
import { api } from "@/lib/platform/api/client";

/** A refusal with the return address for the login. */
export type BindError = { code: string; message: string; returnPath: string };
export type BindStep = { coupon: CouponPreview; refusal?: never } | { refusal: BindError; coupon?: never };
export type CouponBinding = ReturnType<typeof useBind>;

/** Saves a coupon to the account in three steps: look up the code, ask for confirmation, bind. */
export function useBind(onBound: (coupon: CouponView) => void) {
  const t = useTranslations("coupons.bind");
  const networkMessage = useTranslations("errors")("network");
  const [step, setStep] = useState<BindStep | null>(null);
  const [pending, setPending] = useState(false);

  function showError({ code, message }: { code: string; message: string }) {
    setStep({ refusal: { code, message, returnPath: location.pathname + location.search } });
  }

  async function lookUp(code: string) {
    setPending(true);
    const result = await api.post("/auth/coupon/preview", { coupon_code: code }, { networkMessage });
    setPending(false);
    if (result.ok) setStep({ coupon: result.data });
    else showError(result);
  }

  async function bind(code: string) {
    setPending(true);
    const result = await api.post("/auth/coupon/bind", { coupon_code: code }, { networkMessage });
    setPending(false);
    if (!result.ok) return showError(result);
    showToast(t("bound"), "good");
    setStep(null);
    onBound(result.data);
  }

  return { step, pending, lookUp, bind, close: () => setStep(null) };
}
