import { useEffect } from "react";

/**
 * Asks before a page with unsaved changes is left, by its links or by the browser. The way back within the console is
 * asked for by the Navigation API; a browser without it keeps what was typed only as far as its own cache goes.
 */
export function useUnsavedWarning(unsaved: boolean, question: string): void {
  useEffect(() => {
    if (!unsaved) return;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    // Capturing, so that it comes before the links of the console and the shop, which navigate by themselves.
    const onClick = (event: MouseEvent) => {
      const link =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey) return;
      const { target, hash, pathname } = link;
      if (target === "_blank" || (hash !== "" && pathname === location.pathname) || confirm(question)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onNavigate = (event: NavigateEvent) => {
      if (event.navigationType === "traverse" && event.cancelable && !confirm(question))
        event.preventDefault();
    };
    addEventListener("beforeunload", beforeUnload);
    window.navigation?.addEventListener("navigate", onNavigate);
    document.addEventListener("click", onClick, { capture: true });
    return () => {
      removeEventListener("beforeunload", beforeUnload);
      window.navigation?.removeEventListener("navigate", onNavigate);
      document.removeEventListener("click", onClick, { capture: true });
    };
  }, [unsaved, question]);
}
