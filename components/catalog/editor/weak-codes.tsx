"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";

/** Whether the product takes codes that may be mistaken for words: saved immediately, apart from the record. */
export function WeakCodes({ productId, allowed }: { productId: number; allowed: boolean }) {
  const t = useTranslations("console.editor.weak_codes");
  const errors = useTranslations("errors");
  const router = useRouter();
  const { pending, problem, run } = useCall(errors("network"));

  async function change(): Promise<void> {
    const path = `/admin/products/${productId}/weak-codes`;
    const result = await run((options) => api.post(path, { allowed: !allowed }, options));
    if (!result.ok) return;
    showToast(t(allowed ? "refused_now" : "allowed_now"), "good");
    router.refresh();
  }

  return (
    <section className="mt-8 flex max-w-prose flex-col items-start gap-3">
      <h2 className="text-lg font-semibold">{t("title")}</h2>
      <p>{t(allowed ? "allowed" : "refused")}</p>
      <Button pending={pending} onClick={() => void change()}>
        {t(allowed ? "refuse" : "allow")}
      </Button>
      <ErrorNotice>{problem}</ErrorNotice>
    </section>
  );
}
