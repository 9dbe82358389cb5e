// Preloaded into the server of a soak: tells whoever started it what it takes in memory, each ten seconds.
const tell = () => {
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, heap: heapUsed, external, cache: globalThis.passlanePageStore?.size() });
};
setInterval(tell, 10_000).unref();
process.channel?.unref();
