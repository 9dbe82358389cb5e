import { z } from "zod";
import { randomText } from "@/lib/platform/crypto/ids";

/** Requests and responses of the sandbox: Stripe's form encoding, error bodies and ids. */
export type SandboxRequest = Awaited<ReturnType<typeof readRequest>>;
export type SandboxResponse = { status: number; body: unknown; replayed?: boolean };
export type Params = Record<string, unknown>;

export async function readRequest(url: string, init?: RequestInit) {
  const request = new Request(url, init);
  return {
    method: request.method,
    url: new URL(url),
    body: await request.text(),
    idempotencyKey: request.headers.get("idempotency-key"),
  };
}

export const writeResponse = ({ status, body, replayed }: SandboxResponse): Response =>
  Response.json(body, { status, headers: replayed ? { "idempotent-replayed": "true" } : {} });

type ErrorBody = {
  message: string;
  type?: "invalid_request_error" | "idempotency_error" | "card_error";
  code?: string;
  param?: string;
  [detail: string]: unknown;
};

/** A call that is answered with an HTTP status and Stripe's error body. */
export class SandboxError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.message);
  }
}

export const notFound = (status: 400 | 404, kind: string, id: string, param: string) =>
  new SandboxError(status, { code: "resource_missing", param, message: `No such ${kind}: '${id}'` });

export const unexpectedState = (message: string) =>
  new SandboxError(400, { code: "payment_intent_unexpected_state", message });

export const wrongStatus = (refusal: string, { status }: { status: string }) =>
  unexpectedState(`${refusal} because it has a status of ${status}.`);

/** Runs a call: its object is the response, and so is a `SandboxError`. */
export async function respond(call: () => Promise<unknown>): Promise<SandboxResponse> {
  try {
    return { status: 200, body: await call() };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    return { status: error.status, body: { error: { type: "invalid_request_error", ...error.body } } };
  }
}

const Group = z.record(z.string(), z.string());

/** Parses a form-encoded body or query; `a[b]=c` becomes `{ a: { b: "c" } }`. The shop sends one level only. */
export function parseForm(text: string): Params {
  const form: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [, outer, inner] = /^([a-z_]+)\[([a-z_]+|\d+)\]$/.exec(name) ?? [];
    if (outer && inner) form[outer] = { ...Group.parse(form[outer] ?? {}), [inner]: value };
    else form[name] = value;
  }
  return form;
}

/** @throws SandboxError for the first invalid parameter, with Stripe's code */
export function parseParams<S extends z.ZodType>(schema: S, params: Params): z.output<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const param = issue.path.join(".");
  const refuse = (code: string, message: string, of = param) =>
    new SandboxError(400, { code, param: of, message: `${message}: ${of}` });
  if (issue.code === "unrecognized_keys")
    throw refuse("parameter_unknown", "Received unknown parameter", issue.keys[0]);
  if (issue.code === "invalid_type") throw refuse("parameter_missing", "Missing required param");
  throw refuse("parameter_invalid_integer", "Invalid value");
}

const digits = (maxDigits: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${maxDigits}}$`))
    .transform(Number);

export const Cents = digits(8);
export const Seconds = digits(11);
export const Limit = digits(3).default(10);
export const Metadata = z.record(z.string().max(40), z.string().max(500)).default({});

/** Stripe's form of an id: `pi_` and 24 letters and digits. */
export const stripeId = (prefix: string) => `${prefix}_${randomText(24)}`;

const SECRET = "_secret_";

/** The client secret of an intent contains the intent's id, as at Stripe. */
export const clientSecretOf = (id: string) => `${id}${SECRET}${randomText(25)}`;

/** The id of the intent that a client secret is for. The secret itself is not checked. */
export const intentIdOf = (clientSecret: string): string => clientSecret.split(SECRET)[0] ?? "";
