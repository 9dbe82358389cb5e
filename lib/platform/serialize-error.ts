/** An error for logs and tables: without the values of a statement and without email addresses. */
export type SerializedError = {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: SerializedError;
};

const MAX_LENGTH = 500;
/** Deeper causes are left out. Errors may name each other as causes. */
const MAX_DEPTH = 4;

/**
 * Summarizes an error in at most 500 characters for `last_error` columns and logs: name, code and message. A failed
 * statement is summarized by its cause, because its own message lists its parameters (addresses, hashes).
 */
export function errorSummary(error: unknown): string {
  const { type, message, code } = serializeError(error);
  return `${type}${code ? ` (${code})` : ""}: ${message}`.slice(0, MAX_LENGTH);
}

/** Serializes an error with its stack and causes: pino's serializer for `err`. */
export function serializeError(thrown: unknown, depth = 0): SerializedError {
  const error = unwrapStatementError(thrown);
  if (!(error instanceof Error)) return { type: typeof error, message: clean(String(error)) };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const message = isQuotingValues(code) ? error.message.replace(/".*/s, "…") : error.message;
  const stack = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    message: clean(message) || "no message",
    ...(code && { code }),
    ...(stack?.length && { stack: stack.join("\n") }),
    ...(error.cause !== undefined && depth < MAX_DEPTH && { cause: serializeError(error.cause, depth + 1) }),
  };
}

/**
 * Returns the database's error behind a failed statement of the query builder. Recognizes it by its properties, because
 * the bundled pages and the server each load their own class.
 */
function unwrapStatementError(error: unknown): unknown {
  if (!(error instanceof Error && "query" in error && "params" in error)) return error;
  return error.cause ?? new Error("statement failed");
}

/**
 * The database's error for a failed statement, without the values that its detail and context quote. It is the cause of
 * the query builder's error.
 */
export class FailedStatement extends Error {
  readonly code?: string;
  readonly constraint_name?: string;
  readonly table_name?: string;

  constructor(error: unknown) {
    const { type, message, stack } = serializeError(error);
    super(message);
    this.name = type;
    if (stack) this.stack = `${type}: ${message}\n${stack}`;
    if (!(error instanceof Error)) return;
    const { code, constraint_name, table_name } = error as FailedStatement;
    if (code !== undefined) this.code = code;
    if (constraint_name !== undefined) this.constraint_name = constraint_name;
    if (table_name !== undefined) this.table_name = table_name;
  }
}

/** Postgres' class 22, data exceptions: `invalid input syntax for type integer: "…"`. */
const isQuotingValues = (code: string | undefined) => code !== undefined && /^22[0-9A-Z]{3}$/.test(code);

function clean(message: string): string {
  return message
    .replace(/\nparams: .*/s, "")
    .replace(/[^\s<>"(),;:@]+@[^\s<>"'),;:]+/g, "[address]")
    .slice(0, MAX_LENGTH);
}
