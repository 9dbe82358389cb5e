/** The offset of the server's clock from the client's clock, in milliseconds. */
let offset: number | undefined;

/** Differences within this are ignored, because the header counts seconds and the network delays it. */
const SAME_MS = 2500;

/** Sets the clock from a response. `date` is the Date header. */
export function setServerClock(date: string | null): void {
  const measured = Date.parse(date ?? "") - Date.now();
  if (Number.isNaN(measured)) return;
  if (offset === undefined || Math.abs(measured - offset) > SAME_MS) offset = measured;
}

/** Sets the clock from the server time at rendering, unless it is known: a later mount passes an outdated time. */
export function estimateServerClock(now: number): void {
  offset ??= now - Date.now();
}

export const hasServerClock = (): boolean => offset !== undefined;

/** The server's time in milliseconds, accurate to a second; the client's time until a response arrives. */
export const serverNow = (): number => Date.now() + (offset ?? 0);
