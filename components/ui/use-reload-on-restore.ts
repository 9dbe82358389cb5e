import { useEffect } from "react";

/** Reloads a page that the browser restores from its back/forward cache. */
export function useReloadOnRestore(): void {
  useEffect(() => {
    const onPageShow = (event: PageTransitionEvent) => event.persisted && location.reload();
    addEventListener("pageshow", onPageShow);
    return () => removeEventListener("pageshow", onPageShow);
  }, []);
}
