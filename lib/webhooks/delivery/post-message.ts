import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import {
  type Address,
  type Network,
  PUBLIC_NETWORK,
  resolveAddress,
} from "@/lib/platform/http/resolve-address";
import { ANSWER_BYTES, ATTEMPT_MS, type AttemptError } from "@/lib/webhooks/rules";
import { isSandboxReceiver } from "@/lib/webhooks/sandbox-receiver";

export type SentMessage = { url: string; headers: Record<string, string>; body: string };

/** The outcome of an attempt: a status with the beginning of the response, or why there is none. */
export type Outcome = { ms: number; answer: string } & (
  | { status: number; error: null }
  | { status: null; error: AttemptError }
);

/**
 * Sends a message once. The name is looked up once, each of its addresses must be public, and the connection goes to the address that
 * was checked, so that a name which changes in between leads nowhere else. Follows no redirect, and ends after ATTEMPT_MS.
 */
export async function postMessage(
  message: SentMessage,
  network: Network = PUBLIC_NETWORK,
  limitMs = ATTEMPT_MS,
): Promise<Outcome> {
  const started = performance.now();
  const end = new AbortController();
  const result = await Promise.race([
    send(message, network, end.signal),
    wait(limitMs, { error: "timeout" as const }, { signal: end.signal, ref: false }),
  ]).catch((error: unknown) => ({ error: toAttemptError(error) }));
  // Ends the losing side of the race too: its socket or its timer.
  end.abort();
  const ms = Math.round(performance.now() - started);
  return "status" in result
    ? { ms, answer: result.answer, status: result.status, error: null }
    : { ms, answer: "", status: null, error: result.error };
}

type Sent = { status: number; answer: string } | { error: AttemptError };

async function send(message: SentMessage, network: Network, signal: AbortSignal): Promise<Sent> {
  const url = new URL(message.url);
  // The sandbox receiver has the shop's own address, which the operator has configured.
  if (isSandboxReceiver(message.url)) return request(message, undefined, signal);
  if (url.protocol !== "https:") return { error: "address" };
  const address = await resolveAddress(url.hostname, network);
  if (address === "blocked") return { error: "address" };
  if (address === "unknown") return { error: "name" };
  return request(message, address, signal);
}

function request(
  { url, headers, body }: SentMessage,
  pinned: Address | undefined,
  signal: AbortSignal,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const lookup: LookupFunction = (_host, options, done) =>
      options.all
        ? done(null, [{ address: pinned!.address, family: pinned!.family }])
        : done(null, pinned!.address, pinned!.family);
    const { request: open } = url.startsWith("https:") ? https : http;
    const outgoing = open(url, {
      method: "POST",
      // A new connection, because an open one could lead to an address that was checked for an earlier attempt.
      agent: false,
      headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
      signal,
      ...(pinned && { lookup }),
    });
    outgoing.once("error", reject);
    outgoing.once("response", (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      const finish = () => {
        const answer = Buffer.concat(parts).subarray(0, ANSWER_BYTES).toString("utf8");
        resolve({ status: response.statusCode ?? 0, answer: readable(answer) });
        outgoing.destroy();
      };
      response.on("data", (part: Buffer) => {
        parts.push(part);
        bytes += part.length;
        if (bytes >= ANSWER_BYTES) finish();
      });
      response.once("end", finish).once("error", reject);
      response.once("aborted", () => reject(new Error("the answer broke off")));
    });
    outgoing.end(body);
  });
}

/** Removes control characters, and a character that the limit has cut. */
const readable = (text: string) => text.replace(/[^\P{C}\n\t]/gu, "").replace(/�+$/, "");

const CERTIFICATE_ERROR = /^(?:CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)|^HOSTNAME_MISMATCH$/;

const toAttemptError = (error: unknown): AttemptError => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return CERTIFICATE_ERROR.test(code) ? "certificate" : "connection";
};
