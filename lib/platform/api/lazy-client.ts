import type { PostCalls } from "./calls";
import type { ApiResult } from "./client";

/**
 * A call from a public page: the client is fetched at the first press, so that nobody carries it who only looks. When
 * it cannot be fetched, that is the network's failure.
 */
export async function lazyPost<P extends keyof PostCalls>(
  path: P,
  body: PostCalls[P]["body"],
  networkMessage: string,
): Promise<ApiResult<PostCalls[P]["data"]>> {
  try {
    const { api } = await import("./client");
    return await api.post<PostCalls[P]["data"]>(path, body, { networkMessage });
  } catch {
    return { ok: false, code: "", message: networkMessage, errors: [] };
  }
}
