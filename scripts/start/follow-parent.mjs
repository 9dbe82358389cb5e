// Preloaded into every process that scripts/start/server-process.ts starts: if the parent ends (even by kill -9), the child
// shuts down in order instead of holding a port or a database.
if (process.channel) {
  process.once("disconnect", () => {
    setTimeout(() => process.exit(1), 12_000).unref();
    process.kill(process.pid, "SIGTERM");
  });
  process.channel.unref();
}
