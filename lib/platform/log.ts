import { type LoggerOptions, pino } from "pino";
import { telemetry } from "@/lib/platform/telemetry/telemetry";
import { env } from "./env";
import { currentRequest } from "./request-scope";
import { serializeError } from "./serialize-error";

/** Standard output. A line that cannot be written, for example to a full disk, is lost, but ends no process. */
const output = pino.destination(1);
output.on("error", () => {});

const CENSOR = "[hidden]";

/**
 * A code that says what kind of error it is: SQLSTATE, or a name of Node, of the driver or of a provider (`ECONNRESET`,
 * `card_declined`). Activation and verification codes look otherwise.
 */
const ERROR_CODE = /^(?:[0-9A-Z]{5}|ERR_[A-Z0-9_]+|[A-Z]+(?:_[A-Z]+)*|[a-z]+(?:_[a-z]+)*)$/;

/** Hides what may be a secret. Only the code of a serialized error is readable, where it is one. */
const censor = (value: unknown, [field, ...rest]: string[]) =>
  field === "err" && rest.join(".") === "code" && typeof value === "string" && ERROR_CODE.test(value)
    ? value
    : CENSOR;

/** The request and trace in which a line is written. */
function logContext() {
  const requestId = currentRequest()?.id;
  const traceId = telemetry.traceId?.();
  return { ...(requestId && { requestId }), ...(traceId && { traceId }) };
}

export const LOG_OPTIONS: LoggerOptions = {
  level: levelOf(),
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: logContext,
  serializers: { err: (error: unknown) => serializeError(error) },
  redact: {
    paths: [
      "err.code", // named, so that it is redacted
      "password",
      "user_password",
      "new_password",
      "token",
      "refresh_token",
      "code",
      "key",
      "*.password",
      "*.token",
      "*.code",
      "*.key",
    ],
    censor,
  },
};

/** Structured logs, one JSON line each. Never pass a key, code, token or card; `redact` is only a safety net. */
export const log = pino(LOG_OPTIONS, {
  write(line: string) {
    output.write(line);
    telemetry.onLogLine?.(line);
  },
});

function levelOf() {
  try {
    return env().LOG_LEVEL;
  } catch {
    return "info"; // a build has no configuration
  }
}
