import { usePathname } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import { api } from "@/lib/platform/api/client";
import { QUEUES } from "@/lib/staff/today/rules";

/** Asks the menu to count again, after a decision. */
export const WAITING_CHANGED = "console:waiting";

/** How often the use of a page is reported to the server: well within the 30 minutes after which staff mode ends. */
const USE_MS = 5 * 60_000;

const PATHS = new Map<string, string>(QUEUES.map(({ name, path }) => [name, path.split("?", 1)[0]!]));

/** Counts what waits on screens, together to "99+"; undefined: nothing. It asks after each page and decision, and while the page is used. */
export function useWaiting(): (paths: readonly string[]) => string | undefined {
  const page = usePathname();
  const [queues, setQueues] = useState<readonly { queue: string; count: number; more: boolean }[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts again after each page
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const count = async () => {
      const result = await api.get("/admin/waiting", {}, { signal, background: true });
      if (result.ok && !signal.aborted) setQueues(result.data.queues);
    };
    let counted = Date.now();
    const countAgain = () => {
      counted = Date.now();
      void count();
    };
    // Who types or presses uses staff mode, which the count keeps alive.
    const onUse = () => {
      if (Date.now() - counted > USE_MS) countAgain();
    };
    void count();
    document.addEventListener(WAITING_CHANGED, countAgain, { signal });
    document.addEventListener("keydown", onUse, { signal });
    document.addEventListener("pointerdown", onUse, { signal });
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
