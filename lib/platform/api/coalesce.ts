/** A running query and the next one, which all later callers share. */
type Line = { begun: number; running: Promise<unknown>; next: Promise<string> | null };
/** Callers do not wait behind a slower query, which may never finish. */
const PATIENCE_MS = 2_000;
const lines = new Map<string, Line>();

/**
 * Coalesces concurrent identical reads: callers that arrive during a query share the next one, so that every result
 * began after its request.
 */
export function coalesce(key: string, make: () => Promise<string>): Promise<string> {
  const line = lines.get(key);
  if (!line || performance.now() - line.begun > PATIENCE_MS) return begin(key, make);
  line.next ??= line.running.then(
    () => begin(key, make),
    () => begin(key, make),
  );
  return line.next;
}

function begin(key: string, make: () => Promise<string>): Promise<string> {
  const running = make();
  const line: Line = { begun: performance.now(), running, next: null };
  lines.set(key, line);
  const leave = () => {
    if (!line.next && lines.get(key) === line) lines.delete(key);
  };
  running.then(leave, leave);
  return running;
}
