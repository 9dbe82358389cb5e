import { usePathname } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import { api } from "@/lib/platform/api/client";
import { QUEUES } from "@/lib/staff/today/rules";

/** Asks the menu to count again, after a decision. */
export const WAITING_CHANGED = "console:waiting";

const PATHS = new Map<string, string>(QUEUES.map(({ name, path }) => [name, path.split("?", 1)[0]!]));

/** Counts what waits on screens, together to "99+"; undefined: nothing. It asks after each page and each decision. */
export function useWaiting(): (paths: readonly string[]) => string | undefined {
  const page = usePathname();
  const [queues, setQueues] = useState<readonly { queue: string; count: number; more: boolean }[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts again after each page
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const count = async () => {
      const result = await api.get("/admin/waiting", {}, { signal });
      if (result.ok && !signal.aborted) setQueues(result.data.queues);
    };
    void count();
    document.addEventListener(WAITING_CHANGED, () => void count(), { signal });
    return () => abort.abort();
  }, [page]);
  return useCallback(
    (paths) => {
      const shown = queues.filter(({ queue }) => paths.includes(PATHS.get(queue) ?? ""));
      const total = shown.reduce((sum, { count }) => sum + count, 0);
      if (total === 0) return undefined;
      return total > 99 || shown.some(({ more }) => more) ? "99+" : String(total);
    },
    [queues],
  );
}
