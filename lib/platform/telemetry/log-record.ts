import type { SerializedError } from "@/lib/platform/serialize-error";

/** pino's levels as severities of OpenTelemetry. */
const SEVERITIES: Record<number, { severityNumber: number; severityText: string }> = {
  20: { severityNumber: 5, severityText: "DEBUG" },
  30: { severityNumber: 9, severityText: "INFO" },
  40: { severityNumber: 13, severityText: "WARN" },
  50: { severityNumber: 17, severityText: "ERROR" },
  60: { severityNumber: 21, severityText: "FATAL" },
};

type LogLine = { level: number; time: string; msg?: string; err?: SerializedError } & Record<string, unknown>;

/**
 * A line of the log as a record of OpenTelemetry: nothing that the log hides, an error as its exception. Null for a line
 * that is none.
 */
export function toLogRecord(line: string) {
  const parsed = parseLine(line);
  if (!parsed) return null;
  const { level, time, msg = "", err, traceId: _, ...fields } = parsed;
  return {
    ...(SEVERITIES[level] ?? SEVERITIES[30]),
    timestamp: new Date(time),
    body: msg,
    attributes: { ...toAttributes(fields), ...(err && toException(err)) },
  };
}

function parseLine(line: string): LogLine | undefined {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}

/** The request's id has the name that spans give it. */
function toAttributes(fields: Record<string, unknown>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (value === null || value === undefined) return [];
      const key = name === "requestId" ? "passlane.request_id" : name;
      const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
      return [[key, isPlain ? value : JSON.stringify(value)]];
    }),
  );
}

function toException(error: SerializedError): Record<string, string> {
  const { type, message, code } = error;
  return {
    "exception.type": type,
    "exception.message": message,
    "exception.stacktrace": describe(error),
    ...(code && { "error.code": code }),
  };
}

function describe({ type, message, code, stack, cause }: SerializedError): string {
  const own = `${type}: ${message}${code ? ` (${code})` : ""}${stack ? `\n${stack}` : ""}`;
  return cause ? `${own}\nCaused by: ${describe(cause)}` : own;
}
