import type { z } from "zod";
import { errorMessage } from "@/lib/platform/error-messages";
import {
  type ErrorName,
  type ErrorParams,
  type FieldIssue,
  isErrorName,
  ShopError,
} from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

/**
 * Messages for invalid fields come from messages/, never from the schema library, whose texts are English and for
 * programmers.
 */
type Issue = z.core.$ZodIssue;
type Fault = { path: string; name: ErrorName; params?: ErrorParams };

/** Longer lists of choices are not spelled out. */
const MOST_CHOICES = 12;

const TYPES: Record<string, ErrorName> = {
  string: "field_text",
  number: "field_number",
  nan: "field_number",
  int: "field_whole_number",
  boolean: "field_truth",
  array: "field_list",
  object: "field_object",
  record: "field_object",
};

const FORMATS: Record<string, ErrorName> = {
  email: "email_invalid",
  url: "field_url",
  datetime: "field_time",
  date: "field_time",
  safeint: "field_whole_number",
};

type Sized = { origin: string; limit: number };

function tooMuch({ origin, limit }: Sized): Omit<Fault, "path"> {
  const name = origin === "string" ? "field_long" : origin === "array" ? "list_long" : "field_large";
  return { name, params: { limit } };
}

function tooLittle({ origin, limit }: Sized): Omit<Fault, "path"> {
  if (origin === "string" && limit <= 1) return { name: "field_required" };
  const name = origin === "string" ? "field_short" : origin === "array" ? "list_short" : "field_small";
  return { name, params: { limit } };
}

function kindOf(issue: Issue): Omit<Fault, "path"> {
  switch (issue.code) {
    case "invalid_type":
      return { name: TYPES[issue.expected] ?? "field_invalid" };
    case "too_big":
      return tooMuch({ origin: issue.origin, limit: Number(issue.maximum) });
    case "too_small":
      return tooLittle({ origin: issue.origin, limit: Number(issue.minimum) });
    case "invalid_format":
      return { name: FORMATS[issue.format] ?? "field_invalid" };
    case "invalid_value": {
      if (issue.values.length > MOST_CHOICES) return { name: "field_invalid" };
      return { name: "field_choice", params: { choices: issue.values.map(String).join(", ") } };
    }
    default:
      return { name: "field_invalid" };
  }
}

const valueAt = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (value === null || typeof value !== "object" ? undefined : Reflect.get(value, key)),
    input,
  );

/**
 * A contract names an error as its message ("email_invalid"). A missing field is reported as missing, not as a wrong
 * type.
 */
function faultsOf(issue: Issue, input: unknown): Fault[] {
  const path = issue.path.map(String).join(".");
  if (isErrorName(issue.message)) return [{ path, name: issue.message }];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [path, key].filter(Boolean).join("."), name: "field_unknown" }));
  if (issue.code !== "custom" && valueAt(input, issue.path) === undefined)
    return [{ path, name: "field_required" }];
  return [{ path, ...kindOf(issue) }];
}

const worded = ({ path, name, params }: Fault, locale: Locale): FieldIssue => ({
  path,
  message: errorMessage(name, locale, params),
});

/** An error at one place: a field, a header by its name, or "" for the whole body. */
export const fieldError = (path: string, name: ErrorName, locale: Locale): ShopError =>
  new ShopError("invalid_input", { issues: [worded({ path, name }, locale)] });

const MOST_ISSUES = 20;

/** All errors of an input; the first error named by a contract gives the code. */
export function validationError(error: z.ZodError, input: unknown, locale: Locale): ShopError {
  const faults = error.issues.flatMap((issue) => faultsOf(issue, input));
  const first = error.issues[0]?.message;
  return new ShopError(isErrorName(first) ? first : "invalid_input", {
    issues: faults.slice(0, MOST_ISSUES).map((fault) => worded(fault, locale)),
  });
}

/** Merges several errors into one, so that the client sees all of them. */
export function mergeErrors([first, ...more]: [ShopError, ...ShopError[]]): ShopError {
  if (more.length === 0) return first;
  const issues = [first, ...more].flatMap((refusal) => refusal.issues ?? []).slice(0, MOST_ISSUES);
  return new ShopError("invalid_input", { issues });
}
