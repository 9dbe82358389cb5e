import type { z } from "zod";
import type { UserViewer, Viewer } from "@/lib/platform/auth/session";
import type { ErrorName } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { RateLimit } from "@/lib/platform/rate-limit";
import type { Binary, WithCookies } from "./answer";

export type Access = "public" | "user" | "staff";
export type Schema = z.ZodType | undefined;
export type Result = z.ZodType | Binary;
type Out<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

/** What a call is: its documentation, its checks and its wiring at once (docs/architecture.md#how-data-flows). */
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
  /** What `data` holds (anything else is stripped), or `binary("image/avif")` when the handler answers a Response. */
  result: R;
  /** The refusals of this call; those that every call may give need no mention. */
  errors: readonly ErrorName[];
  /** Limits that replace the general one on writes. */
  rate?: RateLimit[];
  /** Refuse when the limits cannot be counted: sign-in, codes, vouchers. */
  closed?: boolean;
  /** false: the answer holds a secret; a repeated Idempotency-Key works it out again, it is never stored. */
  replay?: boolean;
  /** A read that is the same for all who ask it in one language: those who ask at once share one answer. */
  shared?: A extends "public" ? boolean : never;
  /** Left out of the OpenAPI document. */
  hidden?: boolean;
  /** Set by `rawEndpoint`. */
  raw?: boolean;
};

/** What a handler receives. */
export type Call<
  A extends Access = Access,
  B extends Schema = Schema,
  Q extends Schema = Schema,
  P extends Schema = Schema,
> = {
  body: Out<B>;
  query: Out<Q>;
  params: Out<P>;
  viewer: A extends "public" ? Viewer : UserViewer;
  locale: Locale;
  /** Where the visit came from, as every call may say: source, campaign, medium, content. */
  carried: Readonly<Record<string, string>>;
  request: Request;
  /** The client's address. */
  ip: string;
  requestId: string;
  /** This Idempotency-Key has succeeded before with the same request (`replay: false` calls only). */
  repeated: boolean;
};

/** What a handler gives back: the data, the data with cookies, or a finished Response for a binary result. */
export type HandlerResult<R extends Result> = R extends z.ZodType
  ? z.input<R> | WithCookies<z.input<R>>
  : Response;

export type RouteContext = { params: Promise<unknown> };

/** A Next route handler that carries its declaration, for the OpenAPI document and the laws. */
export type Handler = ((request: Request, context?: RouteContext) => Promise<Response>) & {
  declaration: Declaration;
};
