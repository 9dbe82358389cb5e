"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { WARM_PATHS } from "@/components/ui/prefetch-budget";
import { useSurface } from "@/components/ui/surface";
import { localizedPath, parsePath } from "@/lib/navigation";

/** Once the phone's page is loaded and quiet, the five named pages are fetched ahead; never where data is saved. */
export function IdlePrefetch() {
  const { locale, surface } = useSurface();
  const router = useRouter();
  useEffect(() => {
    if (savesData()) return;
    const warm = () => {
      const { path: here } = parsePath(location.pathname);
      for (const path of WARM_PATHS)
        if (path !== here) router.prefetch(localizedPath(path, { locale, surface }));
    };
    return whenIdle(warm);
  }, [locale, surface, router]);
  return null;
}

const savesData = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** After the load event and in a pause; Safari has no idle callback and waits two seconds. */
function whenIdle(run: () => void): () => void {
  let cancel = () => {};
  const wait = () => {
    if ("requestIdleCallback" in window) {
      const id = requestIdleCallback(run, { timeout: 5000 });
      cancel = () => cancelIdleCallback(id);
    } else {
      const id = setTimeout(run, 2000);
      cancel = () => clearTimeout(id);
    }
  };
  if (document.readyState === "complete") wait();
  else {
    addEventListener("load", wait, { once: true });
    cancel = () => removeEventListener("load", wait);
  }
  return () => cancel();
}
