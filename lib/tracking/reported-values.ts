import type { Viewer } from "@/lib/platform/auth/session";

export const emptyToNull = <T>(value: T | null | undefined | ""): T | null => value || null;
export const viewerUserId = (viewer: Viewer) => (viewer.kind === "user" ? viewer.userId : null);
export const parseId = (value: string | number | null | undefined) => {
  const number = Number(value);
  return value && Number.isSafeInteger(number) && number > 0 && number < 2_147_483_648 ? number : null;
};

/** Parses the time sent by the browser; null when it is missing or implausible. */
export function parseTime(value: string | number | null | undefined): Date | null {
  if (value === null || value === undefined || value === "") return null;
  const date = new Date(/^\d{10,16}$/.test(String(value)) ? Number(value) : value);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 2020 || date.getUTCFullYear() > 2100
    ? null
    : date;
}
