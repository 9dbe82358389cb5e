// Preloaded into every process the bootstrap starts: when the starter is gone (kill -9 included) the child ends
// in the orderly way instead of holding a port or a database for ever.
if (process.channel) {
  process.once("disconnect", () => {
    setTimeout(() => process.exit(1), 12_000).unref();
    process.kill(process.pid, "SIGTERM");
  });
  process.channel.unref();
}
