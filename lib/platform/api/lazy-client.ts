import type { PostCalls } from "./calls";
import type { ApiAnswer } from "./client";

/**
 * A call from a public page: the client is fetched at the first press, so that nobody carries it who only looks. When
 * it cannot be fetched, that is the network's failure.
 */
export async function postOnDemand<P extends keyof PostCalls>(
  path: P,
  body: PostCalls[P]["body"],
  networkMessage: string,
): Promise<ApiAnswer<PostCalls[P]["data"]>> {
  try {
    const { api } = await import("./client");
    return await api.post<PostCalls[P]["data"]>(path, body, { networkMessage });
  } catch {
    return { ok: false, code: "", message: networkMessage, errors: [] };
  }
}
