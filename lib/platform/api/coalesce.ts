/** A read that runs, and the one after it, which all who came meanwhile share. */
type Queue = { begunAt: number; running: Promise<unknown>; next: Promise<string> | null };

/** Nobody waits for a read that has run longer than this: it may never end. */
const MAX_WAIT_MS = 2_000;
const queues = new Map<string, Queue>();

/**
 * Coalesces concurrent identical reads: callers that arrive during a read share the next one. Nobody gets a read that
 * began before they asked, so that it is as fresh as their own would be.
 */
export function coalesce(key: string, read: () => Promise<string>): Promise<string> {
  const queue = queues.get(key);
  if (!queue || performance.now() - queue.begunAt > MAX_WAIT_MS) return begin(key, read);
  queue.next ??= queue.running.then(
    () => begin(key, read),
    () => begin(key, read),
  );
  return queue.next;
}

function begin(key: string, read: () => Promise<string>): Promise<string> {
  const running = read();
  const queue: Queue = { begunAt: performance.now(), running, next: null };
  queues.set(key, queue);
  const end = () => {
    if (!queue.next && queues.get(key) === queue) queues.delete(key);
  };
  running.then(end, end);
  return running;
}
