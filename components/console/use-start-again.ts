"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { showToast } from "@/components/ui/toast";
import type { ApiResult } from "@/lib/platform/api/client";

/** The code of the error when the subject of a decision has changed since it was shown. */
export const REVISION_CONFLICT = "40940";

/**
 * When the response says that the subject of a decision has changed: closes the dialog and shows the new state behind
 * it, so that the decision starts again. Returns false for any other response.
 */
export function useStartAgain() {
  const router = useRouter();
  return useCallback(
    (result: ApiResult<unknown>, onClose?: () => void): boolean => {
      if (result.ok || result.code !== REVISION_CONFLICT) return false;
      showToast(result.message, "bad");
      onClose?.();
      router.refresh();
      return true;
    },
    [router],
  );
}
