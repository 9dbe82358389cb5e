// Preloaded into the server of a soak. Sends its memory use to the parent every ten seconds, with the heap size after the
// last full garbage collection, because the current heap consists mostly of garbage.
import { constants, PerformanceObserver } from "node:perf_hooks";

let heapAfterGc = 0;
new PerformanceObserver((list) => {
  if (list.getEntries().some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR))
    heapAfterGc = process.memoryUsage().heapUsed;
}).observe({ entryTypes: ["gc"] });
const sendSample = () => {
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({
    rss,
    heap: heapUsed,
    heapAfterGc,
    external,
    cache: globalThis.passlaneProcess?.pages?.size(),
  });
};
setInterval(sendSample, 10_000).unref();
process.channel?.unref();
