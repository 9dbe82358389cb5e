import type { ApiAnswer } from "./api-client";

/**
 * A call from a public page: the client is fetched at the first press, so that nobody carries it who only looks. When
 * it cannot be fetched, that is the network's failure.
 */
export async function postOnDemand<T>(
  path: string,
  body: object,
  networkMessage: string,
): Promise<ApiAnswer<T>> {
  try {
    const { api } = await import("./api-client");
    return await api.post<T>(path, body, { networkMessage });
  } catch {
    return { ok: false, code: "", message: networkMessage, errors: [] };
  }
}
