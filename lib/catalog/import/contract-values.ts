import { z } from "zod";
import { RESERVED_SLUGS, SLUG_PATTERN } from "@/lib/catalog/rules";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** A problem as a report of an import says it, and as the error of a field in the console, which has it in the reader's language. */
export const problem = (error: ErrorName, message: string, values?: ErrorParams) => ({
  message,
  params: { error, ...(values && { values }) },
});

export const text = (max: number) =>
  z
    .string()
    .trim()
    .normalize("NFC")
    .min(1, "The text is empty.")
    .max(max, `The text is longer than ${max} characters.`)
    .refine(
      (value) => !CONTROL_CHARACTERS.test(value) && value.isWellFormed(),
      problem("line_control", "The text has control characters in it."),
    );

export const slug = z
  .string()
  .max(80)
  .refine(
    (value) => SLUG_PATTERN.test(value),
    problem("line_slug", "A slug is lower-case letters, digits and single hyphens."),
  )
  .refine(
    (value) => !(RESERVED_SLUGS as readonly string[]).includes(value),
    problem("line_slug_reserved", "This slug is a route of the shop."),
  );
