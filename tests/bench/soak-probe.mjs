// Preloaded into the server of a soak: tells whoever started it what it takes in memory, each ten seconds, and what its
// last full garbage collection left: what is in use at some moment is mostly what nobody needs any more.
import { constants, PerformanceObserver } from "node:perf_hooks";

let left = 0;
new PerformanceObserver((list) => {
  if (list.getEntries().some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR))
    left = process.memoryUsage().heapUsed;
}).observe({ entryTypes: ["gc"] });
const tell = () => {
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, heap: heapUsed, left, external, cache: globalThis.passlanePageStore?.size() });
};
setInterval(tell, 10_000).unref();
process.channel?.unref();
