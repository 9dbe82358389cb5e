import type { ApiResult } from "@/lib/platform/api/client";
import { fetchCall } from "@/lib/platform/api/light-client";

/** Saves content that the page has as a file. */
export function downloadFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A file that a call answers, so that a refusal can be shown and the reauthentication asked for. */
async function readFile(call: Promise<Response>, networkMessage: string): Promise<ApiResult<Blob>> {
  try {
    const response = await call;
    if (response.ok) return { ok: true, data: await response.blob() };
    const { code, message, errors = [] } = await response.json();
    return { ok: false, code, message, errors };
  } catch {
    return { ok: false, code: "", message: networkMessage, errors: [] };
  }
}

/** Fetches a file by GET. */
export const getFile = (path: string, networkMessage: string, headers: Record<string, string> = {}) =>
  readFile(fetchCall(path, { headers }), networkMessage);

/** Fetches a file by POST. */
export const fetchFile = (path: string, body: object, networkMessage: string) =>
  readFile(
    fetchCall(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body, target_lang: document.documentElement.lang }),
    }),
    networkMessage,
  );
