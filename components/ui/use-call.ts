import { useCallback, useEffect, useRef, useState } from "react";
import type { ApiResult } from "@/lib/platform/api/client";

export type SendCall<T> = (options: { networkMessage: string }) => Promise<ApiResult<T>>;

/** A call of a form or button: whether it is pending, and the message of its last refusal. */
export function useCall(networkMessage: string) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState("");
  const run = useCallback(
    async <T>(send: SendCall<T>): Promise<ApiResult<T>> => {
      setPending(true);
      setProblem("");
      const result = await send({ networkMessage });
      setPending(false);
      if (!result.ok) setProblem(result.message);
      return result;
    },
    [networkMessage],
  );
  return { pending, problem, setProblem, run };
}

/** Runs a call when the component appears, and again on `retry`. A response to an earlier request is ignored. */
export function useRequest<T>(send: () => Promise<ApiResult<T>>) {
  const [result, setResult] = useState<ApiResult<T> | null>(null);
  const latestRequest = useRef(0);
  const retry = useCallback(async () => {
    latestRequest.current += 1;
    const requestNumber = latestRequest.current;
    setResult(null);
    const response = await send();
    if (requestNumber === latestRequest.current) setResult(response);
  }, [send]);
  useEffect(() => {
    void retry();
    return () => {
      latestRequest.current += 1;
    };
  }, [retry]);
  return { result, retry: () => void retry() };
}
