"use client";

import { useRef, useState } from "react";
import { type ApiResult, api, newIdempotencyKey, type PostFunction } from "@/lib/platform/api/client";

export type CallError = Extract<ApiResult<never>, { ok: false }>;
export type Post = PostFunction;
export type Write = <T>(method: "post" | "put", path: string, body: object) => Promise<ApiResult<T>>;

/**
 * The write calls of one form. `run` allows one action at a time and reports which is `pending`. An action that
 * returns "leaving" stays pending until the next document loads. `write` and `post` retry an unanswered call with the
 * same Idempotency-Key, so that it takes effect once.
 */
export function useCalls(networkMessage: string) {
  const busy = useRef(false);
  const lastUnanswered = useRef<{ fingerprint: string; key: string }>(undefined);
  const [pending, setPending] = useState<string>();

  const write: Write = async <T>(method: "post" | "put", path: string, body: object) => {
    const fingerprint = `${path} ${JSON.stringify(body)}`;
    const key =
      lastUnanswered.current?.fingerprint === fingerprint ? lastUnanswered.current.key : newIdempotencyKey();
    const options = { networkMessage, idempotencyKey: key };
    const result = await (method === "put"
      ? api.put<T>(path, body, options)
      : api.post<T>(path, body, options));
    lastUnanswered.current = !result.ok && result.code === "" ? { fingerprint, key } : undefined;
    return result;
  };
  const post = ((path: string, body: object) => write("post", path, body)) as Post;

  async function run(name: string, action: () => Promise<unknown>): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    setPending(name);
    let outcome: unknown;
    try {
      outcome = await action();
    } finally {
      if (outcome !== "leaving") {
        busy.current = false;
        setPending(undefined);
      }
    }
  }

  return { pending, run, write, post };
}
