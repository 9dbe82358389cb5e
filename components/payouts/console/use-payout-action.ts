"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useAction } from "@/components/merchants/portal/use-action";
import { showToast } from "@/components/ui/toast";
import type { SendCall } from "@/components/ui/use-call";

const APPROVAL_REQUIRED = "40941";

/** An action of staff about payouts. One that waits for a second person counts as done, and says so. */
export function usePayoutAction() {
  const t = useTranslations("console.payouts");
  const router = useRouter();
  const { pending, problem, setProblem, act: send } = useAction();
  /** Whether it is done, or waits for a second person. `show` opens what was made. */
  async function act<T>(call: SendCall<T>, done: string, show?: (made: T) => void): Promise<boolean> {
    const result = await send(call, done);
    if (result.ok) show?.(result.data);
    else if (result.code !== APPROVAL_REQUIRED) return false;
    else {
      setProblem("");
      showToast(t("waits"), "good");
      router.refresh();
    }
    return true;
  }
  return { pending, problem, setProblem, act };
}
