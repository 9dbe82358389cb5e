"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useReauthentication } from "@/components/ui/reauthentication";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { ApiResult } from "@/lib/platform/api/client";

export type Send<T> = (options: { networkMessage: string }) => Promise<ApiResult<T>>;

/** A change in a merchant's console: asks for the reauthentication that it needs, says what was done, and shows the new state. */
export function useAction() {
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, setProblem, run } = useCall(network);
  async function act<T>(send: Send<T>, done?: string): Promise<ApiResult<T>> {
    const result = await run((options) => withReauthentication(() => send(options)));
    // A field is named by its own message; the general one only says that something is wrong.
    if (!result.ok && result.errors[0]) setProblem(result.errors[0].message);
    if (result.ok && done) showToast(done, "good");
    if (result.ok) router.refresh();
    return result;
  }
  return { pending, problem, setProblem, act };
}
