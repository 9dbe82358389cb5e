"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useReauthentication } from "@/components/ui/reauthentication";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { BulkApplied } from "@/lib/merchants/bulk/contract";
import type { ApiResult } from "@/lib/platform/api/client";

type Send<T> = (options: { networkMessage: string }) => Promise<ApiResult<T>>;
export type Applied = Pick<BulkApplied, "counts" | "refused">;

/** Previews bulk work, then applies it in parts until it is done, and sums up the results. */
export function useParts() {
  const router = useRouter();
  const t = useTranslations("console.bulk");
  const network = useTranslations("errors")("network");
  const withReauthentication = useReauthentication();
  const { pending, problem, setProblem, run } = useCall(network);
  const [applied, setApplied] = useState<Applied>();
  const [isApplying, setIsApplying] = useState(false);

  async function preview<T>(send: Send<T>): Promise<T | null> {
    setApplied(undefined);
    const result = await run((options) => withReauthentication(() => send(options)));
    if (!result.ok && result.errors[0]) setProblem(result.errors[0].message);
    return result.ok ? result.data : null;
  }
  async function apply(send: (after: number) => Send<BulkApplied>): Promise<void> {
    const total: Applied = { counts: { changed: 0, unchanged: 0, refused: 0, waiting: 0 }, refused: [] };
    setIsApplying(true);
    for (let after: number | null = 0; after !== null; ) {
      const part = send(after);
      const result: ApiResult<BulkApplied> = await run((options) =>
        withReauthentication(() => part(options)),
      );
      if (!result.ok) {
        if (result.errors[0]) setProblem(result.errors[0].message);
        break;
      }
      const { counts, refused, next } = result.data;
      for (const name of ["changed", "unchanged", "refused", "waiting"] as const)
        total.counts[name] += counts[name];
      total.refused.push(...refused);
      setApplied({ counts: { ...total.counts }, refused: [...total.refused] });
      after = next;
      if (next === null) showToast(t("done"), "good");
    }
    setIsApplying(false);
    router.refresh();
  }
  return { pending, problem, setProblem, preview, apply, applied, isApplying };
}
