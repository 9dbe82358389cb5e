let offset = 0;

/** Told once a page by the first answer of the server: `date` is its Date header. */
export function setServerClock(date: string | null): void {
  const now = Date.parse(date ?? "");
  if (!Number.isNaN(now)) offset = now - Date.now();
}

/** The server's clock in milliseconds, as far as it is known; a visitor's wrong clock does no harm to a countdown. */
export const serverNow = (): number => Date.now() + offset;
