import type { Address, Body, Data } from "./calls";
import type { ApiResult } from "./client";

/**
 * A call from a public page: loads the client at the first use, so that pages do not carry it. A failed load counts
 * as a network failure.
 */
export async function lazyPost<P extends Address<"POST">>(
  path: P,
  body: Body<"POST", P>,
  networkMessage: string,
): Promise<ApiResult<Data<"POST", P>>> {
  try {
    const { api } = await import("./client");
    return await api.post<Data<"POST", P>>(path, body as object, { networkMessage });
  } catch {
    return { ok: false, code: "", message: networkMessage, errors: [] };
  }
}
