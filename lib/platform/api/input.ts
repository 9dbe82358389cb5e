import { z } from "zod";
import { beginning } from "@/lib/platform/beginning";
import { ShopError } from "@/lib/platform/errors";
import { MAX_FIELDS } from "@/lib/platform/http/request-limits";
import type { Locale } from "@/lib/platform/i18n/locales";
import { parseQueryNumber } from "@/lib/platform/typed-number";
import type { FileBody } from "./declaration";
import { ActorFields } from "./fields";
import { fieldError, mergeErrors, validationError } from "./validation-messages";

/** Maximum size of JSON bodies, in bytes (docs/product.md#52-requests). */
export const BODY_LIMIT = 64 * 1024;
const DEPTH_LIMIT = 12;
/** Maximum number of values in a JSON body, and in a list of a query or form. No call takes lists of more than 100. */
const VALUE_LIMIT = 1000;

const ATTRIBUTION_FIELDS = ["source", "campaign", "medium", "content"];
/** Fields that every call accepts (docs/product.md#52-requests). */
const COMMON_FIELDS = new Set([...ATTRIBUTION_FIELDS, "target_lang"]);

export type RawInput = Record<string, unknown>;

const announcedBytes = (request: Request) => Number(request.headers.get("content-length") ?? 0);

const rejectLongBody = (request: Request, limit: number) => {
  if (announcedBytes(request) > limit) throw new ShopError("body_too_large");
};

/**
 * Streams a body up to a limit in bytes; a larger one is `body_too_large`, also without a Content-Length. A body that ends
 * early is refused: the stream of a client that disconnects may end without an error, and an empty body would then mean
 * the defaults of all fields.
 */
async function* streamBytes(request: Request, limit: number): AsyncGenerator<Buffer> {
  rejectLongBody(request, limit);
  const rejectShortBody = (size: number) => {
    if (size < announcedBytes(request) || request.signal.aborted) throw new ShopError("invalid_input");
  };
  if (!request.body) return rejectShortBody(0);
  let size = 0;
  // The DOM types lack the async iterator that Node's streams have.
  const chunks = (request.body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  try {
    for (;;) {
      // A client that disconnects during the body receives nothing; that is not a server error.
      const { value, done } = await chunks.next().catch((): never => {
        throw new ShopError("invalid_input");
      });
      if (done) return rejectShortBody(size);
      size += value.byteLength;
      if (size > limit) throw new ShopError("body_too_large");
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  } finally {
    await chunks.return?.().catch(() => {});
  }
}

/** Reads a body up to a limit in bytes. */
export async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of streamBytes(request, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The file that a request sends, of a declared media type. Its size is checked while it is read, too. */
export function readFile(request: Request, { types, limitBytes }: FileBody): AsyncIterable<Buffer> {
  if (!types.includes(mediaType(request))) throw new ShopError("file_unsupported");
  rejectLongBody(request, limitBytes);
  return streamBytes(request, limitBytes);
}

/** The media type of a request's body, in lower case and without parameters. */
export const mediaType = (request: Request) =>
  (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

/** Reads a JSON or form body into an object. An empty body is an empty object. */
export async function readBody(request: Request, locale: Locale, limitBytes = BODY_LIMIT): Promise<RawInput> {
  const type = mediaType(request);
  const bytes = await readBytes(request, limitBytes);
  if (bytes.length === 0) return {};
  if (type === "application/json") return readJson(bytes, locale);
  if (type === "application/x-www-form-urlencoded") {
    const text = textOf(bytes, locale);
    limitFields(text.split("&", MAX_FIELDS + 1).length);
    return readPairs(new URLSearchParams(text), locale);
  }
  if (type === "multipart/form-data") {
    const headers = { "content-type": request.headers.get("content-type") ?? "" };
    limitFields(countParts(bytes, headers["content-type"]));
    const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch(() => {
      throw fieldError("", "body_unreadable", locale);
    });
    const pairs = [...form].map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : "",
    ]);
    return readPairs(pairs, locale);
  }
  throw new ShopError("unsupported_media");
}

/** Throws for more fields than a query or form may have (docs/product.md#52-requests). */
function limitFields(count: number, limit = MAX_FIELDS): void {
  if (count > limit) throw new ShopError("too_many_fields", { params: { limit } });
}

/** The number of parts of a multipart form, up to one more than it may have. */
function countParts(bytes: Buffer, contentType: string): number {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const delimiter = `--${quoted ?? plain ?? ""}\r\n`;
  let count = 0;
  for (let at = bytes.indexOf(delimiter); at >= 0 && count <= MAX_FIELDS; count += 1)
    at = bytes.indexOf(delimiter, at + delimiter.length);
  return count;
}

function textOf(bytes: Buffer, locale: Locale): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fieldError("", "body_unreadable", locale);
  }
}

function readJson(bytes: Buffer, locale: Locale): RawInput {
  let value: unknown;
  const text = textOf(bytes, locale);
  try {
    value = JSON.parse(text);
  } catch {
    throw fieldError("", "body_unreadable", locale);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw fieldError("", "field_object", locale);
  rejectUnstorable(value, [], locale);
  return value as RawInput;
}

/**
 * Rejects values that are nested too deeply, text that Postgres cannot store, and more values than any call takes, each of
 * which would be validated and reported.
 */
function rejectUnstorable(value: unknown, path: string[], locale: Locale, count = { values: 0 }): void {
  if (path.length > DEPTH_LIMIT) throw fieldError(path[0] ?? "", "field_deep", locale);
  if (typeof value === "string" && isUnstorable(value))
    throw fieldError(path.join("."), "text_unreadable", locale);
  if (value === null || typeof value !== "object") return;
  for (const [name, inner] of Object.entries(value)) {
    count.values += 1;
    limitFields(count.values, VALUE_LIMIT);
    if (isUnstorable(name)) throw fieldError(path.join("."), "text_unreadable", locale);
    rejectUnstorable(inner, [...path, name], locale, count);
  }
}

const isUnstorable = (text: string) => text.includes("\0") || !text.isWellFormed();

/** Name and value pairs of a query or form; a repeated name becomes a list, `a[]` is read as `a`. */
export function readPairs(pairs: Iterable<[string, string]>, locale: Locale): RawInput {
  const input: RawInput = Object.create(null);
  let count = 0;
  for (const [rawName, value] of pairs) {
    count += 1;
    limitFields(count);
    const name = rawName.replace(/\[\]$/, "");
    if (isUnstorable(name)) throw fieldError("", "text_unreadable", locale);
    if (isUnstorable(value)) throw fieldError(name, "text_unreadable", locale);
    const previous = input[name];
    if (Array.isArray(previous)) previous.push(value);
    else if (previous !== undefined) input[name] = [previous, value];
    else input[name] = rawName === name ? value : [value];
  }
  return input;
}

/** The attribution fields of a call that are short texts; other values are ignored. */
export const attributionFields = (raw: RawInput): Record<string, string> =>
  Object.fromEntries(
    ATTRIBUTION_FIELDS.flatMap((name) => {
      const value = raw[name];
      return typeof value === "string" && value !== "" ? [[name, beginning(value, 200)]] : [];
    }),
  );

const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> | null =>
  schema === undefined ? {} : schema instanceof z.ZodObject ? schema.shape : null;

const BOOLEANS: Record<string, boolean> = { true: true, false: false, "1": true, "0": false };

/** The schema inside optional, nullable and default wrappers. */
function innermost(schema: z.ZodType | undefined): unknown {
  let inner: unknown = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) {
    inner = inner.unwrap();
  }
  return inner;
}

/**
 * Queries and forms carry text: parses the number, boolean or list that the schema expects; an empty text counts as
 * absent.
 */
function fromText(schema: z.ZodType | undefined, value: unknown): unknown {
  const inner = innermost(schema);
  if (inner instanceof z.ZodArray) {
    const list =
      Array.isArray(value) || typeof value !== "string" ? value : value.split(",", VALUE_LIMIT + 1);
    if (Array.isArray(list)) limitFields(list.length, VALUE_LIMIT);
    return Array.isArray(list) ? list.map((item) => fromText(inner.element as z.ZodType, item)) : list;
  }
  if (typeof value !== "string") return value;
  if (inner instanceof z.ZodNumber) {
    if (value.trim() === "") return undefined;
    // Ids and counts are written by programs, and have one spelling.
    return inner.isInt ? Number(value) : parseQueryNumber(value);
  }
  if (inner instanceof z.ZodBoolean) return BOOLEANS[value] ?? value;
  if (inner instanceof z.ZodObject && value.startsWith("{")) {
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  return value;
}

/** In JSON a number may be sent as text. Rejects blank text, null, booleans and arrays. */
function fromJson(schema: z.ZodType | undefined, value: unknown): unknown {
  const inner = innermost(schema);
  if (!(inner instanceof z.ZodNumber && inner.def.coerce) || typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? value : Number.NaN;
}

type InputSource = { schema: z.ZodType | undefined; raw: RawInput; locale: Locale; asText: boolean };

/**
 * Parses an input by its schema; unknown fields are rejected (docs/product.md#52-requests) together with other
 * errors.
 */
export async function readInput({ schema, raw, locale, asText }: InputSource) {
  const shape = shapeOf(schema);
  const input: RawInput = {};
  const errors: ShopError[] = [];
  for (const [name, rawValue] of Object.entries(raw)) {
    if (shape !== null && !Object.hasOwn(shape, name)) {
      if (!COMMON_FIELDS.has(name)) errors.push(fieldError(name, "field_unknown", locale));
      continue;
    }
    const value = asText ? fromText(shape?.[name], rawValue) : fromJson(shape?.[name], rawValue);
    // Path parts and JSON inside a form have not been checked before.
    if (asText) rejectUnstorable(value, [name], locale);
    Object.defineProperty(input, name, { value, enumerable: true }); // `__proto__` becomes a field, too
  }
  const parsed = await schema?.safeParseAsync(input);
  if (parsed?.error) errors.push(validationError(parsed.error, input, locale));
  return { data: parsed?.data, error: mergeErrors(errors) };
}

/** Serializes a claimed identity of any type for the audit entry. */
const serializeClaim = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");

/**
 * Removes the identity fields from an input and returns one that names another user. Absent, empty, and "guest" from
 * a guest are ignored: only the session identifies the user.
 */
export function removeForeignActor(
  schema: z.ZodType | undefined,
  raw: RawInput,
  userId: string | null,
): { field: string; claimed: string } | null {
  let foreign: { field: string; claimed: string } | null = null;
  for (const field of Object.keys(ActorFields)) {
    if (!Object.hasOwn(raw, field) || !Object.hasOwn(shapeOf(schema) ?? {}, field)) continue;
    const value = raw[field];
    delete raw[field];
    const isIgnored = value === null || value === "" || (userId === null && value === "guest");
    if (!isIgnored && value !== userId) foreign ??= { field, claimed: beginning(serializeClaim(value), 64) };
  }
  return foreign;
}
