/** One answer under way, and the one that is made after it for all who came meanwhile. */
type Line = { begun: number; running: Promise<unknown>; next: Promise<string> | null };
/** Behind an answer that takes longer nobody waits: it may never come. */
const PATIENCE_MS = 2_000;
const lines = new Map<string, Line>();

/**
 * Makes an answer once for all who ask for the same at once. Nobody is given one that was begun before they asked, so it
 * is as fresh as their own would be: who comes while one is being made shares the next with all others who do.
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
