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
