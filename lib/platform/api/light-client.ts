import { readAttribution } from "@/lib/platform/routing/attribution";
import type { Address, Body, Data } from "./calls";

/** What public pages carry of the client of /api/v1: small calls, of which a failure shows nothing. */

export const pageLanguage = () => document.documentElement.lang.slice(0, 2) || "en";

/** The fields that every call sends (docs/product.md#71-conventions): language and attribution. */
export function commonFields(): Record<string, string | undefined> {
  const { source, campaign, medium, content } = readAttribution() ?? {};
  return { target_lang: pageLanguage(), source, campaign, medium, content };
}

/** A query of common and own fields. A call's own field wins over a common one of the same name, as in a body. */
export function queryOf(fields: object): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...commonFields(), ...fields }))
    if (value !== undefined) search.set(name, String(value));
  return search;
}

/** Fetches what is not an envelope, such as a file for a download, in the page's language. */
export function fetchCall(path: string, init: RequestInit = {}): Promise<Response> {
  const isRead = (init.method ?? "GET") === "GET";
  const query = isRead ? `${path.includes("?") ? "&" : "?"}target_lang=${pageLanguage()}` : "";
  const headers = { "accept-language": pageLanguage(), ...init.headers };
  return fetch(`/api/v1${path}${query}`, { ...init, headers });
}

/** Reads a call that needs no input: its data, undefined for a failure, and the server's time. Throws without a response. */
export async function readCall<P extends Address<"GET">>(
  path: P,
): Promise<{ data?: Data<"GET", P>; date: string | null }> {
  const response = await fetch(`/api/v1${path}?${queryOf({})}`, { cache: "no-store" });
  const date = response.headers.get("date");
  const { data } = (await response.json()) as { data?: Data<"GET", P> };
  return response.ok ? { data, date } : { date };
}

/** Sends a request without waiting: it may outlive the page, is not retried, and fails silently. */
export async function beacon<P extends Address<"POST">>(
  path: P,
  body: Body<"POST", P>,
): Promise<Data<"POST", P> | undefined> {
  try {
    const response = await fetch(`/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "accept-language": pageLanguage() },
      body: JSON.stringify({ ...commonFields(), ...(body as object) }),
      keepalive: true,
    });
    return ((await response.json()) as { data?: Data<"POST", P> }).data;
  } catch {
    return undefined;
  }
}
