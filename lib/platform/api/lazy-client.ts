import type { PostCalls } from "./calls";
import type { ApiResult } from "./client";

/**
 * A call from a public page: loads the client at the first use, so that pages do not carry it. A failed load counts
 * as a network failure.
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
