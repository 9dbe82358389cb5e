/** What a log line or a table may keep of an error: never the values of a statement, never an address. */
export type SerializedError = {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: SerializedError;
};

const LONGEST = 500;
/** Causes of causes end somewhere, also when they name each other. */
const DEEPEST = 4;

/**
 * Why something failed, in one line of at most 500 characters for `last_error` columns and logs: name, code and
 * message of the error, of its cause where a statement failed (whose own message lists its parameters: addresses,
 * hashes).
 */
export function errorSummary(error: unknown): string {
  const { type, message, code } = serializeError(error);
  return `${type}${code ? ` (${code})` : ""}: ${message}`.slice(0, LONGEST);
}

/** The same with the places it came from: pino's serializer for `err`. */
export function serializeError(error: unknown, depth = 0): SerializedError {
  const it = withoutStatement(error);
  if (!(it instanceof Error)) return { type: typeof it, message: clean(String(it)) };
  const code = "code" in it && typeof it.code === "string" ? it.code : undefined;
  const stack = it.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: it.name,
    message: clean(isQuotingValues(code) ? it.message.replace(/".*/s, "…") : it.message) || "no message",
    ...(code && { code }),
    ...(stack?.length && { stack: stack.join("\n") }),
    ...(it.cause !== undefined && depth < DEEPEST && { cause: serializeError(it.cause, depth + 1) }),
  };
}

/**
 * A failed statement stands for what the database said. Told by its shape: the bundled pages and the server have
 * each their own class of it.
 */
function withoutStatement(error: unknown): unknown {
  if (!(error instanceof Error && "query" in error && "params" in error)) return error;
  return error.cause ?? new Error("a statement failed");
}

/**
 * What the database said of a failed statement, without the values that its detail and context quote: the cause of the
 * query builder's error.
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
    .replace(/[^\s<>"'(,;:=]+@[^\s<>"'),;:]+/g, "[address]")
    .slice(0, LONGEST);
}
