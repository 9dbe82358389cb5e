"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useReauthentication } from "@/components/ui/reauthentication";
import { showToast } from "@/components/ui/toast";
import { type SendCall, useCall } from "@/components/ui/use-call";
import type { ApiResult } from "@/lib/platform/api/client";

const APPROVAL_REQUIRED = "40941";

/** An action of staff about payouts: asks for the reauthentication that it needs, says what was done, and shows the new state. */
export function usePayoutAction() {
  const network = useTranslations("errors")("network");
  const t = useTranslations("console.payouts");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, setProblem, run } = useCall(network);
  /** Whether it is done, or waits for a second person. */
  async function act<T>(send: SendCall<T>, done: string): Promise<boolean> {
    const result: ApiResult<T> = await run((options) => withReauthentication(() => send(options)));
    const waits = !result.ok && result.code === APPROVAL_REQUIRED;
    if (!result.ok && !waits) return false;
    setProblem("");
    showToast(waits ? t("waits") : done, "good");
    router.refresh();
    return true;
  }
  return { pending, problem, setProblem, act };
}
