/** A time of the database, which writes it in its own form, as ISO 8601 in UTC. */
export function instant(time: string): string;
export function instant(time: string | null): string | null;
export function instant(time: string | null): string | null {
  return time && new Date(time).toISOString();
}
