import type { Attributes } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { serializeError } from "@/lib/platform/serialize-error";

/**
 * The attributes that leave the process: those of this shop, and of Next those that hold no address, query or value. Next
 * also sets `http.target` and `http.url`, whose queries hold codes and emails.
 */
const ALLOWED = [
  "http.request.method",
  "http.method",
  "http.route",
  "http.response.status_code",
  "http.status_code",
  "error.type",
  "next.route",
  "next.span_type",
  "next.rsc",
  "next.bubble",
  "passlane.kind",
  "passlane.pool",
  "passlane.request_id",
];

/** A span without values: only known attributes, its name without a query, its errors as the log has them. */
export function cleanSpan(span: ReadableSpan): ReadableSpan {
  const { message } = span.status;
  const cleaned: Partial<ReadableSpan> = {
    name: cleanName(span.name),
    attributes: cleanAttributes(span.attributes),
    links: [],
    events: span.events.flatMap((event) =>
      event.name === "exception" ? [{ ...event, attributes: cleanException(event.attributes ?? {}) }] : [],
    ),
    status: { code: span.status.code, ...(message && { message: cleanMessage(message) }) },
  };
  // The other properties are getters of the span.
  return Object.create(span, Object.getOwnPropertyDescriptors(cleaned));
}

const cleanAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => ALLOWED.includes(name)));

/** Next names some spans by an address: `fetch GET https://…?code=…`. */
const cleanName = (name: string) => name.replace(/[?#].*$/s, "").replace(/\bhttps?:\/\/\S+/g, "[address]");

function cleanException(attributes: Attributes): Attributes {
  const type = String(attributes["exception.type"] ?? "Error");
  const message = cleanMessage(String(attributes["exception.message"] ?? ""));
  const stack = String(attributes["exception.stacktrace"] ?? "").match(/^\s+at .+$/gm);
  return {
    "exception.type": type,
    "exception.message": message,
    "exception.stacktrace": [`${type}: ${message}`, ...(stack ?? [])].join("\n"),
  };
}

const cleanMessage = (text: string) => serializeError(new Error(text)).message;
