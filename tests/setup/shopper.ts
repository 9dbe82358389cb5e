import type { SignedInUser } from "@/db/factories/accounts";
import type { Envelope } from "@/lib/platform/api/response";
import { clientAddress } from "@/tests/setup/client-address";

/** The response of a call; status 0 when the server was unreachable or closed the connection. */
// biome-ignore lint/suspicious/noExplicitAny: tests read the data of any call
export type ShopperResponse = { status: number; code: string; data: any };

/**
 * Calls the server over HTTP as the API client of a signed-in user, from its own address. An expired access token
 * (after 15 minutes of the server's clock) is refreshed once for all waiting calls. Never throws: a lost response has
 * status 0.
 */
export function shopperAt(address: string, user: SignedInUser) {
  let tokens = { token: user.token, refreshToken: user.refreshToken };
  let exchange: Promise<unknown> | null = null;
  const send = async (
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<ShopperResponse> => {
    try {
      const response = await fetch(`${address}/api/v1${path}`, {
        method: body ? "POST" : "GET",
        headers: {
          authorization: `Bearer ${tokens.token}`,
          "x-forwarded-for": clientAddress(user.id),
          ...(body && { "content-type": "application/json" }),
          ...headers,
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(75_000),
      });
      const { code, data } = (await response.json()) as Envelope;
      return { status: response.status, code, data };
    } catch {
      return { status: 0, code: "none", data: null };
    }
  };
  const renew = async () => {
    const { code, data } = await send("/auth/refresh", { refresh_token: tokens.refreshToken });
    if (code === "200") tokens = { token: data.token, refreshToken: data.refresh_token };
  };
  return async (...call: Parameters<typeof send>): Promise<ShopperResponse> => {
    const response = await send(...call);
    if (response.status !== 401) return response;
    exchange ??= renew().finally(() => {
      exchange = null;
    });
    await exchange;
    return send(...call);
  };
}
export type Shopper = ReturnType<typeof shopperAt>;

/** Pseudo-random numbers in [0, 1) that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const SEED = Number(process.env.SALE_SEED ?? 20261120);
