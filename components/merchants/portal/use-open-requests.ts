import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { api } from "@/lib/platform/api/client";

/** The number of open requests of buyers, up to "99+"; undefined for none. Read again after each navigation. */
export function useOpenRequests(): string | undefined {
  const page = usePathname();
  const [count, setCount] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts again after each page
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    void api.get("/merchant/waiting", {}, { signal }).then((result) => {
      if (!result.ok || signal.aborted) return;
      const { requests, more } = result.data;
      setCount(requests === 0 ? undefined : more ? "99+" : String(requests));
    });
    return () => abort.abort();
  }, [page]);
  return count;
}
