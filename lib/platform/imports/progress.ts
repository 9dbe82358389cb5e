import { log } from "@/lib/platform/log";

const PROGRESS_MS = 1_000;

/** Writes the progress of an import each second, which is also its sign of life, until it is stopped. */
export function writeProgress(id: string, write: () => PromiseLike<unknown>): { stop(): Promise<void> } {
  let writing = Promise.resolve();
  let busy = false;
  const beat = async () => {
    busy = true;
    try {
      await write();
    } catch (error) {
      log.warn({ err: error, id }, "progress of an import not stored");
    }
    busy = false;
  };
  const timer = setInterval(() => {
    if (!busy) writing = beat();
  }, PROGRESS_MS);
  return {
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}
