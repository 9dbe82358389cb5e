import { z } from "zod";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { StaffViewer, UserViewer, Viewer } from "@/lib/platform/auth/session";
import type { Approval } from "@/lib/platform/console/approval";
import type { ErrorName } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { RateLimit } from "@/lib/platform/rate-limit";
import { ActorFields } from "./fields";
import type { Previewable } from "./preview";
import type { Binary, WithCookies } from "./response";

/**
 * A call for staff: `staff("refunds.decide", { reauthenticated: true })` of lib/staff/rules.ts. It answers 401 without
 * a session, 40400 to everyone but staff, 40314 to staff without the second factor, 40300 without one of the roles and
 * 40312 without a recent reauthentication.
 */
export type StaffAccess = {
  kind: "staff";
  /** null: every staff member. */
  permission: string | null;
  roles: readonly string[];
  reauthenticated: boolean;
  /** Whether a decision extends the reauthentication. */
  keeps?: boolean;
  /** false: before the second factor too, which these calls set up or check. */
  factor: boolean;
};
/**
 * A call for a merchant's members, and for programs with a token: `merchant("keys.write")` of lib/merchants/rules.ts.
 * It answers 401 without a session or with an invalid token, 40400 to everyone but members, 40300 without the
 * permission or scope, 40314 and 40312 like a call for staff, and 40316 to writes for a suspended merchant.
 */
export type MerchantAccess = {
  kind: "merchant";
  permission: string;
  roles: readonly string[];
  /** null: tokens cannot make it */
  scope: string | null;
  reauthenticated: boolean;
  whileSuspended: boolean;
  /**
   * The response is the same for every merchant, so that a session need not name one, such as for pictures, which
   * browsers request without the header.
   */
  anyOf?: boolean;
};
/**
 * A call with which staff and merchant members set up or enter their second factor. For everyone else it does not
 * exist.
 */
export type FactorAccess = {
  kind: "factor";
  /** It needs the factor, and a recent reauthentication with it. */
  reauthenticated: boolean;
};
export type Access = "public" | "user" | StaffAccess | MerchantAccess | FactorAccess;

const isKind = (access: Access, kind: "staff" | "merchant" | "factor") =>
  typeof access === "object" && access.kind === kind;
export const isStaffAccess = (access: Access): access is StaffAccess => isKind(access, "staff");
export const isMerchantAccess = (access: Access): access is MerchantAccess => isKind(access, "merchant");
export const isFactorAccess = (access: Access): access is FactorAccess => isKind(access, "factor");

/** The access of calls with which a person sets up or gives the second factor. */
export const secondFactor = ({ reauthenticated = false } = {}): FactorAccess => ({
  kind: "factor",
  reauthenticated,
});
export type Schema = z.ZodType | undefined;
export type Result = z.ZodType | Binary;
type Out<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

/** The media types of a file, none of which a form can send, and its maximum size in bytes. */
export type FileBody = { types: readonly string[]; limitBytes: number };

/** Declares a call: documentation, checks and wiring in one (docs/architecture.md#how-data-flows). */
export type Declaration<
  A extends Access = Access,
  R extends Result = Result,
  B extends Schema = Schema,
  Q extends Schema = Schema,
  P extends Schema = Schema,
> = {
  summary: string;
  description?: string;
  access: A;
  body?: B;
  query?: Q;
  params?: P;
  /**
   * The shape of `data` (other fields are stripped), or `binary("image/avif")` when the handler returns a Response.
   */
  result: R;
  /** The errors of this call, without those that every call may return. */
  errors: readonly ErrorName[];
  /** Rate limits that replace the general one on writes. */
  rate?: RateLimit[];
  /**
   * An expensive read: the tokens that it takes from the read limits of its address (lib/platform/http/read-limits.ts). A POST
   * with a cost changes nothing and is not limited as a write.
   */
  readCost?: number;
  /** Pages poll it, so it does not extend staff mode. */
  polled?: boolean;
  /** A valid token whose account was deleted is answered with `account_missing`. Other calls answer 401. */
  namesMissingAccount?: boolean;
  /** Rejects requests if the rate limits cannot be counted: sign-in, codes, vouchers. */
  failClosed?: boolean;
  /** A write that a closed shop takes: staff sign in. Calls for staff need no such mark. */
  whileClosed?: boolean;
  /** false: the response contains a secret. It is never stored; a repeated Idempotency-Key computes it again. */
  replay?: boolean;
  /** A public read with the same result for all callers in a language: concurrent requests share one result. */
  coalesced?: A extends "public" ? boolean : never;
  /** The maximum size of the body in bytes, for texts that are longer than BODY_LIMIT (lib/platform/api/input.ts). */
  limitBytes?: number;
  /** A second person may have to agree first: `approval: secondPerson("goodwill")` of lib/staff/approvals. */
  approval?: A extends StaffAccess ? Approval : never;
  /**
   * Checks the submitted texts before anything else: `texts: withoutCodes(…)` of lib/delivery/code-text. Adds
   * `note_has_code` to the errors.
   */
  texts?: (call: Call<A, B, Q, P>) => Promise<void>;
  /** The call may change many rows, so that it has the time limit of a job. */
  takesLong?: boolean;
  /** Left out of the OpenAPI document. */
  hidden?: boolean;
  /** Set by `rawEndpoint`. */
  raw?: boolean;
  /**
   * Set by `fileEndpoint`: the body is a file of one of these media types. Other fields stand in the query. With a `body` too
   * (`fileOrFieldsEndpoint`), the call takes JSON in place of the file and its query.
   */
  file?: FileBody;
};

/**
 * A call that can be previewed: `previewable: effects` of lib/staff/preview. Its body accepts `preview`, and it
 * responds with the effects or the result; the handler handles neither.
 */
export type PreviewedDeclaration<
  A extends StaffAccess,
  R extends z.ZodType,
  E extends z.ZodType,
  B extends z.ZodObject | undefined,
  Q extends Schema,
  P extends Schema,
> = Declaration<A, R, B, Q, P> & { previewable: Previewable<E> };

/** The arguments of a handler. */
export type Call<
  A extends Access = Access,
  B extends Schema = Schema,
  Q extends Schema = Schema,
  P extends Schema = Schema,
> = {
  body: Out<B>;
  query: Out<Q>;
  params: Out<P>;
  viewer: A extends "public"
    ? Viewer
    : A extends StaffAccess
      ? StaffViewer
      : A extends MerchantAccess
        ? MerchantViewer
        : UserViewer;
  locale: Locale;
  /** The attribution fields of the request: source, campaign, medium, content. */
  attribution: Readonly<Record<string, string>>;
  request: Request;
  /** The client's IP address. */
  ip: string;
  /** IANA name of the client's time zone (header `Time-Zone`); null: not sent, or none. */
  timeZone: string | null;
  requestId: string;
  /** The body of a call with a file. */
  file?: AsyncIterable<Buffer> | undefined;
  /** This Idempotency-Key succeeded before with the same request (`replay: false` calls only). */
  repeated: boolean;
};

/** The result of a handler: the data, the data with cookies, or a Response for a binary result. */
export type HandlerResult<R extends Result> = R extends z.ZodType
  ? z.input<R> | WithCookies<z.input<R>>
  : Response;

export type RouteContext = { params: Promise<unknown> };

/** A Next route handler with its declaration, for the OpenAPI document and the architecture tests. */
export type Handler<R extends Result = Result, B extends Schema = Schema, Q extends Schema = Schema> = ((
  request: Request,
  context?: RouteContext,
) => Promise<Response>) & {
  declaration: Declaration<Access, R, B, Q>;
};

/** The handler of a call that takes a file. */
export type FileHandler<R extends Result, B extends Schema, Q extends Schema> = Handler<R, B, Q> & {
  declaration: { file: FileBody };
};

/** Whether a closed shop refuses the writes of this call. */
export const isRefusedWhileClosed = ({ access, raw, readCost, whileClosed }: Declaration): boolean =>
  !raw && readCost === undefined && !whileClosed && !isStaffAccess(access) && !isFactorAccess(access);

const acceptsActor = ({ body, query }: Declaration) =>
  [body, query].some(
    (schema) =>
      schema instanceof z.ZodObject && Object.keys(ActorFields).some((name) => name in schema.shape),
  );

/** Every error that a call may return: the declared ones and those of the endpoint. */
export function listCallErrors(declaration: Declaration, write: boolean): ErrorName[] {
  const { access, failClosed, raw, file, body } = declaration;
  const errors: (ErrorName | false | undefined)[] = [
    ...declaration.errors,
    access !== "public" && "session_required",
    access !== "public" && "session_ended",
    typeof access === "object" && "call_unknown",
    isStaffAccess(access) && access.factor && "second_factor_required",
    isStaffAccess(access) && access.permission !== null && "permission_missing",
    isMerchantAccess(access) && !access.anyOf && "merchant_missing",
    isMerchantAccess(access) && "token_invalid",
    isMerchantAccess(access) && "permission_missing",
    isMerchantAccess(access) && write && !access.whileSuspended && "merchant_suspended",
    typeof access === "object" && access.reauthenticated && "second_factor_required",
    typeof access === "object" && access.reauthenticated && "reauthentication_required",
    failClosed && "unavailable",
    acceptsActor(declaration) && "wrong_actor",
    write && "body_too_large",
    write && !raw && "unsupported_media",
    write && file && "file_unsupported",
    write && !raw && "cross_origin",
    write && isRefusedWhileClosed(declaration) && "shop_closed",
    write && !raw && (!file || body) && "idempotency_reused",
    write && !raw && (!file || body) && "idempotency_in_progress",
    "invalid_input",
    "too_many_fields",
    "too_many_requests",
    "system_error",
    "timeout",
  ];
  return [...new Set(errors.filter((name) => name !== false && name !== undefined))];
}
