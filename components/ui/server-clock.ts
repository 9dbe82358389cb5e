let offset: number | undefined;

/** Told once a page by the first answer of the server: `date` is its Date header. */
export function setServerClock(date: string | null): void {
  const now = Date.parse(date ?? "");
  if (!Number.isNaN(now)) offset = now - Date.now();
}

export const knowsServerClock = (): boolean => offset !== undefined;

/**
 * The server's clock in milliseconds, to the second; the visitor's own until an answer came. A visitor's wrong clock
 * does no harm to a countdown whose two ends are both read from here, or from the server.
 */
export const serverNow = (): number => Date.now() + (offset ?? 0);
