/** Runs a callback when the browser is idle, within 5 seconds. Safari has no idle callback and waits 2. */
export function whenIdle(run: () => void): () => void {
  if ("requestIdleCallback" in window) {
    const id = requestIdleCallback(run, { timeout: 5000 });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(run, 2000);
  return () => clearTimeout(timer);
}

/** Like `whenIdle`, but not before the page has loaded. */
export function whenLoaded(run: () => void): () => void {
  if (document.readyState === "complete") return whenIdle(run);
  let cancel = () => removeEventListener("load", wait);
  const wait = () => {
    cancel = whenIdle(run);
  };
  addEventListener("load", wait, { once: true });
  return () => cancel();
}

const USES = ["pointermove", "pointerdown", "keydown", "scroll"];

/** Runs a callback once, when the reader first moves the pointer, presses something or scrolls. */
export function atFirstUse(run: () => void): () => void {
  const listeners = new AbortController();
  const onUse = () => {
    listeners.abort();
    run();
  };
  for (const use of USES) addEventListener(use, onUse, { signal: listeners.signal, passive: true });
  return () => listeners.abort();
}
