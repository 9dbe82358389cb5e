/** A running read, and the next one, which all callers that arrive meanwhile share. */
type Queue = { startedAt: number; running: Promise<unknown>; next: Promise<string> | null };

/** Callers do not wait for a read that has run longer than this, because it may never end. */
const MAX_WAIT_MS = 2_000;
const queues = new Map<string, Queue>();

/**
 * Coalesces concurrent identical reads: callers that arrive during a read share the next one. No caller gets the result
 * of a read that started before its call, so results are never older than those of its own read.
 */
export function coalesce(key: string, read: () => Promise<string>): Promise<string> {
  const queue = queues.get(key);
  if (!queue || performance.now() - queue.startedAt > MAX_WAIT_MS) return start(key, read);
  queue.next ??= queue.running.then(
    () => start(key, read),
    () => start(key, read),
  );
  return queue.next;
}

function start(key: string, read: () => Promise<string>): Promise<string> {
  const running = read();
  const queue: Queue = { startedAt: performance.now(), running, next: null };
  queues.set(key, queue);
  const remove = () => {
    if (!queue.next && queues.get(key) === queue) queues.delete(key);
  };
  running.then(remove, remove);
  return running;
}
