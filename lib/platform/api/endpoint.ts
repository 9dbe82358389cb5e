import { z } from "zod";
import { audit } from "@/lib/platform/audit";
import { type MerchantViewer, requireMerchant } from "@/lib/platform/auth/merchant-access";
import {
  extendStaffSession,
  isAccountMissing,
  keepReauthentication,
  type ResolvedSession,
  resolveSession,
  type StaffViewer,
  saveTimeZone,
  type Viewer,
} from "@/lib/platform/auth/session";
import { withApproval } from "@/lib/platform/console/approval";
import { type ErrorName, isShopError, ShopError } from "@/lib/platform/errors";
import { runExpensiveWork, takePoints } from "@/lib/platform/expensive-work";
import { processState } from "@/lib/platform/process-state";
import { takeRateLimit } from "@/lib/platform/rate-limit";
import { runInBackground } from "@/lib/platform/request-scope";
import { isShopClosed } from "@/lib/platform/shop-closure";
import { TIME_ZONE_HEADER } from "@/lib/platform/time-zone";
import { coalesce } from "./coalesce";
import {
  type Access,
  type Call,
  type Declaration,
  type FileBody,
  type FileHandler,
  type Handler,
  type HandlerResult,
  isMerchantAccess,
  isRefusedWhileClosed,
  isStaffAccess,
  type PreviewedDeclaration,
  type Result,
  type RouteContext,
  type Schema,
  type StaffAccess,
} from "./declaration";
import { checkAccess, rateLimitCounters, rejectCrossOriginWrite, requestLocale } from "./guard";
import { claimIdempotencyKey, type IdempotentRequest, requestHash } from "./idempotency";
import {
  attributionFields,
  mediaType,
  type RawInput,
  readBody,
  readBytes,
  readFile,
  readInput,
  readPairs,
  removeForeignActor,
} from "./input";
import {
  type Previewable,
  type PreviewedBody,
  type PreviewedResult,
  previewedBody,
  previewedResult,
} from "./preview";
import { type RequestLog, withRequestLog } from "./request-log";
import { type Envelope, jsonResponse, successBody, WithCookies } from "./response";
import { canonicalTimeZone } from "./time-zone";
import { fieldError, mergeErrors } from "./validation-messages";

/**
 * Creates a route handler from a declaration and a function of plain values (docs/architecture.md#how-data-flows). The
 * handler resolves the viewer, checks origin, rate limits, access, size, identity fields and Idempotency-Key, parses the
 * input, runs the function, strips its result to the declared shape and wraps it in the envelope. Of an action of staff it
 * answers the effects in place of the result, and asks a second person, where the declaration says so.
 */
export function endpoint<
  A extends StaffAccess,
  R extends z.ZodType,
  E extends z.ZodType,
  B extends z.ZodObject | undefined = undefined,
  Q extends Schema = undefined,
  P extends Schema = undefined,
>(
  declaration: PreviewedDeclaration<A, R, E, B, Q, P>,
  run: (call: Call<A, B, Q, P>) => Promise<z.input<R>>,
): Handler<PreviewedResult<R, E>, PreviewedBody<B>, Q>;
export function endpoint<
  A extends Access,
  R extends Result,
  B extends Schema = undefined,
  Q extends Schema = undefined,
  P extends Schema = undefined,
>(
  declaration: Declaration<A, R, B, Q, P> & { previewable?: undefined },
  run: (call: Call<A, B, Q, P>) => Promise<HandlerResult<R>> | HandlerResult<R>,
): Handler<R, B, Q>;
export function endpoint(action: Action, runAction: Run): Handler {
  const { declaration, run } = toCall(action, runAction);
  return routeHandler(declaration, (request, context) =>
    withRequestLog(declaration, request, (trace) => serve(declaration, run, request, context, trace)),
  );
}

type Action = Declaration & { previewable?: Previewable | undefined };

/** The input, the result and the handler of an action's call. */
function toCall(
  { previewable, ...declaration }: Action,
  action: Run,
): { declaration: Declaration; run: Run } {
  const { approval, takesLong, texts } = declaration;
  const run: Run = texts ? async (call) => texts(call).then(() => action(call)) : action;
  const runPreviewed = previewable ? withPreview(previewable, declaration, run) : run;
  const runApproved: Run = approval
    ? (call) => withApproval(approval, call.viewer as StaffViewer, () => runPreviewed(call))
    : runPreviewed;
  return {
    declaration: {
      ...declaration,
      ...(previewable && previewedSchemas(declaration, previewable)),
      errors: [
        ...declaration.errors,
        ...(approval ? (["approval_required"] as const) : []),
        ...(texts ? (["note_has_code"] as const) : []),
      ],
    },
    run: takesLong ? (call) => runInBackground(() => runApproved(call)) : runApproved,
  };
}

function previewedSchemas({ body, result }: Declaration, { effect }: Previewable) {
  if (!(result instanceof z.ZodType) || (body && !(body instanceof z.ZodObject)))
    throw new Error("a call that can be previewed takes fields and answers JSON");
  return { body: previewedBody(body), result: previewedResult(result, effect) };
}

const withPreview =
  (previewable: Previewable, { body: takesBody }: Declaration, run: Run): Run =>
  async (call) => {
    const { preview, ...fields } = call.body as { preview: boolean };
    const action = async () => run({ ...call, body: takesBody && fields });
    return preview
      ? { effects: await previewable.find(action), result: null }
      : { effects: null, result: await action() };
  };

function routeHandler<R extends Result, B extends Schema, Q extends Schema>(
  declaration: Declaration,
  respond: (request: Request, context?: RouteContext) => Promise<Response>,
): Handler<R, B, Q> {
  const handler = async (request: Request, context?: RouteContext) => {
    const begun = processState.pages?.version() ?? 0;
    const response = await respond(request, context);
    const writes = isWrite(request) && declaration.readCost === undefined;
    if (writes && (await processState.pages?.settle(begun)))
      response.headers.append("Set-Cookie", FRESH_COOKIE);
    return response;
  };
  return Object.assign(handler, { declaration }) as Handler<R, B, Q>;
}

const isWrite = ({ method }: Request) => method !== "GET" && method !== "HEAD";

/** Bypasses the caches in front of the shop (deploy/nginx), so that the writer sees the change on the next page. */
const FRESH_COOKIE = "fresh=1; Max-Age=5; Path=/; SameSite=Lax";

/** The function of a call, without the types of its declaration. */
type Run = (call: Call) => unknown;

async function serve(
  declaration: Declaration,
  run: Run,
  request: Request,
  context: RouteContext | undefined,
  trace: RequestLog,
): Promise<Response> {
  const { readCost } = declaration;
  if (readCost !== undefined) await takePoints(trace.ip, readCost);
  const write = isWrite(request);
  const raw = { query: readPairs(trace.query, trace.locale), body: {} as RawInput };
  const session = await identify(declaration, request, trace);
  if (write) rejectCrossOriginWrite(request, session.via, declaration.file?.types);
  const limits = { path: trace.path, write: write && readCost === undefined, rate: declaration.rate };
  const counters = session.token ? [] : rateLimitCounters(limits, session.viewer, trace.ip);
  await takeRateLimit(counters, { failClosed: declaration.failClosed });
  if (write && isRefusedWhileClosed(declaration) && (await isShopClosed()))
    throw new ShopError("shop_closed");
  const merchantViewer = await authorize(declaration, request, session, trace, limits.write);
  const file = takesFile(declaration, request) ? readFile(request, declaration.file) : undefined;
  if (write) {
    raw.body = file ? {} : await readBody(request, trace.locale, declaration.limitBytes);
    const targetLang = raw.query.target_lang ?? raw.body.target_lang;
    trace.locale = requestLocale(request.headers, targetLang).requested ?? trace.locale;
  }
  await rejectForeignActor(declaration, raw, session, trace);
  const timeZone = canonicalTimeZone(request.headers.get(TIME_ZONE_HEADER));
  if (write && readCost === undefined && session.viewer.kind === "user")
    await saveTimeZone(session.viewer, timeZone);
  // A read by POST stores no answer: reads do not write.
  const idempotent =
    write && readCost === undefined && !file
      ? readIdempotencyKey(request, merchantViewer ?? session.viewer, trace, raw)
      : null;
  const input = await parseInput(declaration, request, context, raw, trace);
  const viewer = { ...(merchantViewer ?? session.viewer), locale: trace.locale };
  const { locale, ip, requestId } = trace;
  const attribution = attributionFields({ ...raw.query, ...raw.body });
  const call = { ...input, viewer, locale, attribution, request, ip, timeZone, requestId, file } as Omit<
    Call,
    "repeated"
  >;
  const runCall = async (repeated: boolean) => {
    const fullCall = { ...call, repeated } as Call;
    const respond = async () =>
      declaration.coalesced
        ? coalesceRead(declaration, run, fullCall, { input, trace })
        : toResponse(declaration, await run(fullCall), trace);
    return readCost === undefined ? respond() : runExpensiveWork(trace.ip, respond);
  };
  const response = await runOnce(declaration, idempotent, runCall, trace);
  const { access } = declaration;
  const isDecision = isStaffAccess(access) && access.keeps && write && raw.body.preview !== true;
  if (isDecision && response.ok && session.viewer.kind === "user") await keepReauthentication(session.viewer);
  if (session.renewal && !response.headers.has("set-cookie"))
    response.headers.append("set-cookie", session.renewal);
  return response;
}

/** Whether the body of this request is the file of its call: not where the call takes JSON in place of it. */
const takesFile = (
  declaration: Declaration,
  request: Request,
): declaration is Declaration & { file: FileBody } =>
  declaration.file !== undefined && !(declaration.body && mediaType(request) === "application/json");

/** Checks the caller's rights. Returns who acts for a merchant on a call for merchants, else null. */
async function authorize(
  { access, polled }: Declaration,
  request: Request,
  session: ResolvedSession,
  trace: RequestLog,
  write: boolean,
): Promise<MerchantViewer | null> {
  if (!isMerchantAccess(access)) {
    await checkAccess(access, session.viewer);
    if (isStaffAccess(access) && !polled && session.viewer.kind === "user")
      await extendStaffSession(session.viewer);
    return null;
  }
  const { viewer, use } = await requireMerchant(access, session, {
    headers: request.headers,
    ip: trace.ip,
    write,
  });
  trace.merchant = viewer;
  trace.limitUse = use;
  return viewer;
}

/**
 * Shares one result between identical concurrent requests. The viewer is a guest, so that it contains nothing
 * personal.
 */
async function coalesceRead(
  declaration: Declaration,
  run: Run,
  call: Call,
  { input, trace }: { input: unknown; trace: RequestLog },
): Promise<Response> {
  const { locale, path } = trace;
  const guest: Call = { ...call, viewer: { kind: "guest", locale } };
  const read = async () => JSON.stringify(toEnvelope(declaration, await run(guest), trace));
  return jsonResponse(200, await coalesce(`${locale} ${path} ${JSON.stringify(input)}`, read));
}

/** A file of a public call may be cached by proxies, so its response must not depend on a session or renew one. */
const isPublicFile = ({ access, result }: Declaration) =>
  access === "public" && !(result instanceof z.ZodType);

/** Resolves the session and the language of a request. An invalid bearer token counts as none on a public call. */
async function identify(
  declaration: Declaration,
  request: Request,
  trace: RequestLog,
): Promise<ResolvedSession> {
  if (isPublicFile(declaration)) return { viewer: { kind: "guest", locale: trace.locale }, via: "none" };
  const { headers } = request;
  const { requested, stored } = trace.requestedLocale;
  const credentials = {
    authorization: headers.get("authorization"),
    cookie: headers.get("cookie"),
    locale: requested,
  };
  const session = await resolveSession(credentials).catch((error: unknown): ResolvedSession => {
    const isTolerated = declaration.access === "public" || declaration.namesMissingAccount;
    if (!isTolerated || !isShopError(error, "session_ended")) throw error;
    return { viewer: { kind: "guest", locale: trace.locale }, via: "none" };
  });
  if (declaration.namesMissingAccount && session.viewer.kind === "guest") {
    if (await isAccountMissing(credentials)) throw new ShopError("account_missing");
    if (/^bearer /i.test(credentials.authorization ?? "")) throw new ShopError("session_ended");
  }
  const { viewer } = session;
  trace.viewer = viewer;
  trace.locale = requested ?? (viewer.kind === "user" ? viewer.locale : (stored ?? trace.locale));
  return session;
}

async function rejectForeignActor(
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

/** Parses path, query and body by their schemas. The errors of all three are thrown as one. */
async function parseInput(
  declaration: Declaration,
  request: Request,
  context: RouteContext | undefined,
  raw: { query: RawInput; body: RawInput },
  { locale }: RequestLog,
) {
  const segments = ((await context?.params) ?? {}) as RawInput;
  const asText = mediaType(request) !== "application/json";
  const params = await readInput({ schema: declaration.params, raw: segments, locale, asText: true });
  const isFile = takesFile(declaration, request);
  // With JSON in place of the file, nothing of the file's query is needed.
  const querySchema =
    !isFile && declaration.file && declaration.query instanceof z.ZodObject
      ? declaration.query.partial()
      : declaration.query;
  const query = await readInput({ schema: querySchema, raw: raw.query, locale, asText: true });
  const bodySchema = isFile ? undefined : declaration.body;
  const body = await readInput({ schema: bodySchema, raw: raw.body, locale, asText });
  const error = mergeErrors([params, query, body].flatMap((part) => part.error ?? []));
  if (error) throw error;
  return { params: params.data, query: query.data, body: body.data };
}

function readIdempotencyKey(
  request: Request,
  viewer: Viewer | MerchantViewer,
  { path, ip, locale }: RequestLog,
  raw: { query: RawInput; body: RawInput },
): IdempotentRequest | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw fieldError("Idempotency-Key", "field_invalid", locale);
  if (viewer.kind === "merchant") {
    // A person may act for several merchants, a token for its own only.
    const acting = viewer.user ? { ...raw, merchant: viewer.merchant.id } : raw;
    return { owner: viewer.actor, key, hash: requestHash(request.method, path, acting) };
  }
  const owner = viewer.kind === "user" ? viewer.userId : `guest:${ip}`;
  return { owner, key, hash: requestHash(request.method, path, raw) };
}

/** Runs a write once per Idempotency-Key: a success is stored and replayed, an error releases the key. */
async function runOnce(
  declaration: Declaration,
  idempotent: IdempotentRequest | null,
  run: (repeated: boolean) => Promise<Response>,
  { locale }: RequestLog,
): Promise<Response> {
  if (!idempotent) return run(false);
  const claim = await claimIdempotencyKey(idempotent);
  if (claim.kind === "replay")
    return jsonResponse(claim.status, successBody(claim.body, locale), { "idempotent-replayed": "true" });
  if (claim.repeated) return run(true);
  const response = await run(false).catch(async (error: unknown) => {
    await claim.lease.release();
    throw error;
  });
  const data = declaration.replay === false ? undefined : (await response.clone().json()).data;
  // The write has succeeded, so the caller gets its response even if it cannot be stored.
  await claim.lease.store(response.status, data);
  return response;
}

/** Strips a result to the declared shape and wraps it in the envelope. */
function toEnvelope({ result }: Declaration, data: unknown, { locale }: RequestLog): Envelope {
  if (!(result instanceof z.ZodType)) throw new Error("a binary result needs a Response");
  return successBody(result.parse(data), locale);
}

function toResponse(declaration: Declaration, output: unknown, trace: RequestLog): Response {
  if (output instanceof Response) return output;
  const { data, cookies } = output instanceof WithCookies ? output : { data: output, cookies: [] };
  return jsonResponse(200, toEnvelope(declaration, data, trace), {}, cookies);
}

/**
 * Declares a call whose body is a file, which the function reads as a stream. Other fields stand in the query. It takes no
 * Idempotency-Key: the function compares the file's hash instead.
 */
export function fileEndpoint<
  A extends Access,
  R extends z.ZodType,
  Q extends Schema = undefined,
  P extends Schema = undefined,
>(
  declaration: Omit<Declaration<A, R, undefined, Q, P>, "body"> & { file: FileBody },
  run: (
    call: Call<A, undefined, Q, P> & { file: AsyncIterable<Buffer> },
  ) => Promise<HandlerResult<R>> | HandlerResult<R>,
): FileHandler<R, undefined, Q> {
  return endpoint<A, R, undefined, Q, P>(declaration, (call) => {
    if (!call.file) throw new Error("a call with a file was served without it");
    return run({ ...call, file: call.file });
  }) as FileHandler<R, undefined, Q>;
}

/** Declares a call that takes a file with its query, or JSON fields that say the same to programs. */
export function fileOrFieldsEndpoint<
  A extends Access,
  R extends z.ZodType,
  B extends z.ZodType,
  Q extends Schema = undefined,
>(
  declaration: Declaration<A, R, B, Q, undefined> & { body: B; file: FileBody },
  run: {
    file: (
      call: Call<A, undefined, Q, undefined> & { file: AsyncIterable<Buffer> },
    ) => Promise<HandlerResult<R>>;
    fields: (call: Call<A, B, undefined, undefined>) => Promise<HandlerResult<R>>;
  },
): FileHandler<R, B, Q> {
  return endpoint<A, R, B, Q, undefined>(declaration, (call) =>
    call.file
      ? run.file({ ...call, body: undefined, file: call.file })
      : run.fields({ ...call, query: undefined }),
  ) as FileHandler<R, B, Q>;
}

/** Declares a call that gets the unparsed body, such as a signed webhook: no session, no form, its own size limit. */
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
): Handler<R, undefined, undefined> {
  // A raw call has no schemas, so it lacks the fields that only typed steps read.
  const rawDeclaration = { ...declaration, access: "public", raw: true } as unknown as Declaration;
  return routeHandler(rawDeclaration, (request) =>
    withRequestLog(rawDeclaration, request, async (trace) => {
      const body = await readBytes(request, declaration.limitBytes);
      const { ip, requestId } = trace;
      return toResponse(rawDeclaration, await run({ body, request, ip, requestId }), trace);
    }),
  );
}
