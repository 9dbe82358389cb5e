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
type FieldFailure = { path: string; name: ErrorName; params?: ErrorParams };

/** Longer lists of choices are not part of the message. */
const MAX_CHOICES = 12;

const TYPES: Record<string, ErrorName> = {
  string: "field_text",
  number: "field_number",
  nan: "field_number",
  int: "field_whole_number",
  boolean: "field_boolean",
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

const TOO_BIG: Record<string, ErrorName> = { string: "field_long", array: "list_long" };
const TOO_SMALL: Record<string, ErrorName> = { string: "field_short", array: "list_short" };

function toFieldError(issue: Issue): Omit<FieldFailure, "path"> {
  switch (issue.code) {
    case "invalid_type":
      return { name: TYPES[issue.expected] ?? "field_invalid" };
    case "too_big":
      return { name: TOO_BIG[issue.origin] ?? "field_large", params: { limit: Number(issue.maximum) } };
    case "too_small":
      if (issue.origin === "string" && issue.minimum <= 1) return { name: "field_required" };
      return { name: TOO_SMALL[issue.origin] ?? "field_small", params: { limit: Number(issue.minimum) } };
    case "invalid_format":
      return { name: FORMATS[issue.format] ?? "field_invalid" };
    case "invalid_value": {
      if (issue.values.length > MAX_CHOICES) return { name: "field_invalid" };
      return { name: "field_choice", params: { choices: issue.values.map(String).join(", ") } };
    }
    default:
      return { name: "field_invalid" };
  }
}

const getValueAt = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (value === null || typeof value !== "object" ? undefined : Reflect.get(value, key)),
    input,
  );

/** The error that an issue of its own check names by `params`, for shapes whose messages are read in files. */
function namedByParams(issue: Issue): Omit<FieldFailure, "path"> | null {
  const { error, values } = (issue.code === "custom" ? issue.params : undefined) ?? {};
  return isErrorName(error) ? { name: error, params: values } : null;
}

/**
 * A schema names an error by its message ("email_invalid"). A missing field is reported as missing, not as of a wrong
 * type.
 */
function toFieldFailures(issue: Issue, input: unknown): FieldFailure[] {
  const path = issue.path.map(String).join(".");
  if (isErrorName(issue.message)) return [{ path, name: issue.message }];
  const named = namedByParams(issue);
  if (named) return [{ path, ...named }];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [path, key].filter(Boolean).join("."), name: "field_unknown" }));
  if (issue.code !== "custom" && getValueAt(input, issue.path) === undefined)
    return [{ path, name: "field_required" }];
  return [{ path, ...toFieldError(issue) }];
}

/** An issue of a shape by its name, for the reports of files. */
export const firstFailure = (issue: Issue, input: unknown): FieldFailure => toFieldFailures(issue, input)[0]!;

const toFieldIssue = ({ path, name, params }: FieldFailure, locale: Locale): FieldIssue => ({
  path,
  message: errorMessage(name, locale, params),
});

/** An error of one field, or of a header by its name; path "" is the whole body. */
export const fieldError = (path: string, name: ErrorName, locale: Locale): ShopError =>
  new ShopError("invalid_input", { issues: [toFieldIssue({ path, name }, locale)] });

const MAX_ISSUES = 20;

/** All errors of an input; the first error named by a contract gives the code. */
export function validationError(error: z.ZodError, input: unknown, locale: Locale): ShopError {
  const failures = error.issues.flatMap((issue) => toFieldFailures(issue, input));
  const name = error.issues[0]?.message;
  return new ShopError(isErrorName(name) ? name : "invalid_input", {
    issues: failures.slice(0, MAX_ISSUES).map((failure) => toFieldIssue(failure, locale)),
  });
}

/** Merges several errors into one, so that the client sees all of them. */
export function mergeErrors(errors: ShopError[]): ShopError | undefined {
  if (errors.length <= 1) return errors[0];
  const issues = errors.flatMap((error) => error.issues ?? []).slice(0, MAX_ISSUES);
  return new ShopError("invalid_input", { issues });
}
