import { z } from "zod";
import { audit } from "@/lib/platform/audit";
import { type ResolvedSession, resolveSession } from "@/lib/platform/auth/session";
import { type ErrorName, isShopError, ShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { writeCounter } from "@/lib/platform/page-cache/tags";
import { takeRateLimit } from "@/lib/platform/rate-limit";
import { coalesce } from "./coalesce";
import type {
  Access,
  Call,
  Declaration,
  Handler,
  HandlerResult,
  Result,
  RouteContext,
  Schema,
} from "./declaration";
import { checkAccess, rateLimitCounters, rejectCrossOriginWrite, requestLocale } from "./guard";
import {
  claimIdempotencyKey,
  type IdempotentRequest,
  releaseIdempotencyKey,
  requestHash,
  storeResponse,
} from "./idempotency";
import {
  attributionFields,
  mediaType,
  type ParsedInput,
  type RawInput,
  readBody,
  readBytes,
  readInput,
  readPairs,
  removeForeignActor,
} from "./input";
import { type RequestLog, withRequestLog } from "./request-log";
import { type Envelope, jsonResponse, successBody, textResponse, WithCookies } from "./response";
import { fieldError, mergeErrors } from "./validation-messages";

/**
 * Makes a route handler of a declaration and a function of plain values (docs/architecture.md#how-data-flows): parses,
 * resolves the viewer, checks access, origin, size, rate, identity fields and Idempotency-Key, runs, strips the answer
 * through `result` and wraps it in the envelope.
 */
export function endpoint<
  A extends Access,
  R extends Result,
  B extends Schema = undefined,
  Q extends Schema = undefined,
  P extends Schema = undefined,
>(
  declaration: Declaration<A, R, B, Q, P>,
  run: (call: Call<A, B, Q, P>) => Promise<HandlerResult<R>> | HandlerResult<R>,
): Handler {
  const plain = declaration as unknown as Declaration;
  const runPlain = run as unknown as Run;
  return routeHandler(plain, (request, context) =>
    withRequestLog(plain, request, (trace) => serve(plain, runPlain, request, context, trace)),
  );
}

function routeHandler(
  declaration: Declaration,
  answer: (request: Request, context?: RouteContext) => Promise<Response>,
): Handler {
  const handler = (request: Request, context?: RouteContext) =>
    answer(request, context).finally(() => countWrite(request));
  return Object.assign(handler, { declaration });
}

/** Pages that are asked for from now on show what this call changed (lib/platform/page-cache/page-cache.ts). */
function countWrite({ method }: Request): void {
  if (method !== "GET" && method !== "HEAD") writeCounter().count += 1;
}

type Run = (call: Call) => unknown;

async function serve(
  declaration: Declaration,
  run: Run,
  request: Request,
  context: RouteContext | undefined,
  trace: RequestLog,
): Promise<Response> {
  const write = request.method !== "GET" && request.method !== "HEAD";
  const raw = { query: readPairs(trace.query, trace.locale), body: {} as RawInput };
  const session = await recognise(declaration, request, trace);
  if (write) rejectCrossOriginWrite(request, session.via);
  const counters = rateLimitCounters(
    { path: trace.path, write, rate: declaration.rate },
    session.viewer,
    trace.ip,
  );
  await takeRateLimit(counters, { failClosed: declaration.failClosed });
  checkAccess(declaration.access, session.viewer);
  if (write) {
    raw.body = await readBody(request, trace.locale);
    const { asked } = requestLocale(request.headers, raw.query.target_lang ?? raw.body.target_lang);
    if (asked) trace.locale = asked;
  }
  await refuseForeignActor(declaration, raw, session, trace);
  const keyed = write ? keyedRequest(request, session, trace, raw) : null;
  const input = await parseAll(declaration, request, context, raw, trace);
  const viewer = { ...session.viewer, locale: trace.locale };
  const { locale, ip, requestId } = trace;
  const carried = attributionFields({ ...raw.query, ...raw.body });
  const call = { ...input, viewer, locale, attribution: carried, request, ip, requestId } as Omit<
    Call,
    "repeated"
  >;
  const response = await once(
    declaration,
    keyed,
    async (repeated) =>
      declaration.coalesced
        ? shareRead(declaration, run, { ...call, repeated } as Call, { input, trace })
        : finish(declaration, await run({ ...call, repeated } as Call), trace),
    trace,
  );
  if (session.renewal && !response.headers.has("set-cookie"))
    response.headers.append("set-cookie", session.renewal);
  return response;
}

/** The answer that all who ask the same at once are given: made for a guest, so that nothing personal can come in. */
async function shareRead(
  declaration: Declaration,
  run: Run,
  call: Call,
  { input, trace }: { input: unknown; trace: RequestLog },
): Promise<Response> {
  const { locale, path } = trace;
  const guest: Call = { ...call, viewer: { kind: "guest", locale } };
  const make = async () => JSON.stringify(bodyOf(declaration, await run(guest), trace));
  return textResponse(200, await coalesce(`${locale} ${path} ${JSON.stringify(input)}`, make));
}

/** A picture is the same for all and kept on the way: nobody's session may come near it, least of all its renewal. */
const isPublicFile = ({ access, result }: Declaration) =>
  access === "public" && !(result instanceof z.ZodType);

/** Who sent it, and in which language it is answered. A dead bearer token does not spoil a public call. */
async function recognise(
  declaration: Declaration,
  request: Request,
  trace: RequestLog,
): Promise<ResolvedSession> {
  if (isPublicFile(declaration)) return { viewer: { kind: "guest", locale: trace.locale }, via: "none" };
  const { headers } = request;
  const sent = { authorization: headers.get("authorization"), cookie: headers.get("cookie") };
  const { asked, stored } = trace.requestedLocale;
  const session = await resolveSession({ ...sent, locale: asked }).catch(
    (error: unknown): ResolvedSession => {
      if (declaration.access !== "public" || !isShopError(error, "session_ended")) throw error;
      return { viewer: { kind: "guest", locale: trace.locale }, via: "none" };
    },
  );
  trace.viewer = session.viewer;
  trace.locale = asked ?? (session.viewer.kind === "user" ? session.viewer.locale : (stored ?? trace.locale));
  return session;
}

async function refuseForeignActor(
  declaration: Declaration,
  raw: { query: RawInput; body: RawInput },
  { viewer }: ResolvedSession,
  { path }: RequestLog,
): Promise<void> {
  const userId = viewer.kind === "user" ? viewer.userId : null;
  const foreign =
    removeForeignActor(declaration.body, raw.body, userId) ??
    removeForeignActor(declaration.query, raw.query, userId);
  if (!foreign) return;
  await audit({ actor: userId ?? "guest", action: "identity.foreign", subject: path, detail: foreign });
  throw new ShopError("wrong_actor");
}

const NOTHING: ParsedInput = { data: undefined };

/** Path, query and body, each against its shape; the faults of all three are told together. */
async function parseAll(
  { params, query, body }: Declaration,
  request: Request,
  context: RouteContext | undefined,
  raw: { query: RawInput; body: RawInput },
  { locale }: RequestLog,
) {
  const segments = ((await context?.params) ?? {}) as RawInput;
  const asText = mediaType(request) !== "application/json";
  const read = {
    params: params ? await readInput({ schema: params, raw: segments, locale, asText: true }) : NOTHING,
    query: await readInput({ schema: query, raw: raw.query, locale, asText: true }),
    body: await readInput({ schema: body, raw: raw.body, locale, asText }),
  };
  const [first, ...more] = Object.values(read).flatMap((one) => ("refusal" in one ? [one.refusal] : []));
  if (first) throw mergeErrors([first, ...more]);
  return Object.fromEntries(
    Object.entries(read).map(([place, one]) => [place, "data" in one ? one.data : undefined]),
  ) as Record<keyof typeof read, unknown>;
}

function keyedRequest(
  request: Request,
  { viewer }: ResolvedSession,
  { path, ip, locale }: RequestLog,
  raw: { query: RawInput; body: RawInput },
): IdempotentRequest | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw fieldError("Idempotency-Key", "field_invalid", locale);
  const owner = viewer.kind === "user" ? viewer.userId : `guest:${ip}`;
  return { owner, key, hash: requestHash(request.method, path, raw) };
}

/** Runs a write once per Idempotency-Key: a success is kept and replayed, a refusal gives the key back. */
async function once(
  declaration: Declaration,
  keyed: IdempotentRequest | null,
  run: (repeated: boolean) => Promise<Response>,
  { locale, requestId }: RequestLog,
): Promise<Response> {
  if (!keyed) return run(false);
  const claim = await claimIdempotencyKey(keyed);
  if (claim.kind === "replay")
    return jsonResponse(claim.status, successBody(claim.body, locale), { "idempotent-replayed": "true" });
  if (claim.repeated) return run(true);
  const response = await run(false).catch(async (error: unknown) => {
    await releaseIdempotencyKey(keyed).catch((cause: unknown) =>
      log.warn({ err: cause }, "idempotency key not given back"),
    );
    throw error;
  });
  const answer = declaration.replay === false ? undefined : (await response.clone().json()).data;
  await storeResponse(keyed, response.status, answer).catch((cause: unknown) => {
    log.warn({ err: cause, requestId }, "answer not kept for replay"); // the work is done: the caller hears so
  });
  return response;
}

/** Strips what the handler gave through the declared result and wraps it. */
function bodyOf({ result }: Declaration, data: unknown, { locale }: RequestLog): Envelope {
  if (!(result instanceof z.ZodType)) throw new Error("a binary result needs a Response");
  return successBody(result.parse(data), locale);
}

function finish(declaration: Declaration, given: unknown, trace: RequestLog): Response {
  if (given instanceof Response) return given;
  const { data, cookies } = given instanceof WithCookies ? given : { data: given, cookies: [] };
  return jsonResponse(200, bodyOf(declaration, data, trace), {}, cookies);
}

/** A call that needs its body byte by byte: a signed webhook. No session, no form, its own size limit. */
export function rawEndpoint<R extends z.ZodType>(
  declaration: {
    summary: string;
    description?: string;
    result: R;
    errors: readonly ErrorName[];
    limitBytes: number;
    hidden?: boolean;
  },
  run: (call: {
    body: Buffer;
    request: Request;
    ip: string;
    requestId: string;
  }) => Promise<z.input<R>> | z.input<R>,
): Handler {
  const plain = { ...declaration, access: "public", raw: true } as unknown as Declaration;
  return routeHandler(plain, (request) =>
    withRequestLog(plain, request, async (trace) => {
      const body = await readBytes(request, declaration.limitBytes);
      const { ip, requestId } = trace;
      return finish(plain, await run({ body, request, ip, requestId }), trace);
    }),
  );
}
