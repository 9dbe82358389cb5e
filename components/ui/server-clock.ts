/** What the server's clock is ahead of the visitor's, in milliseconds. */
let offset: number | undefined;

/**
 * A Date header knows whole seconds and is as old as its way was long: a measurement within this of what is known says
 * nothing new, and following it would make a countdown jump to and fro.
 */
const SAME_MS = 2500;

/** Told by answers of the server: `date` is the Date header. */
export function setServerClock(date: string | null): void {
  const measured = Date.parse(date ?? "") - Date.now();
  if (Number.isNaN(measured)) return;
  if (offset === undefined || Math.abs(measured - offset) > SAME_MS) offset = measured;
}

/**
 * Told by a page that knows the server's time at its rendering, in milliseconds. Only where nothing is known yet: a
 * part that is put up later brings the same time, which is old by then.
 */
export function estimateServerClock(now: number): void {
  offset ??= now - Date.now();
}

export const hasServerClock = (): boolean => offset !== undefined;

/**
 * The server's clock in milliseconds, to the second; the visitor's own until an answer came. A visitor's wrong clock
 * does no harm to a countdown whose two ends are both read from here, or from the server.
 */
export const serverNow = (): number => Date.now() + (offset ?? 0);
