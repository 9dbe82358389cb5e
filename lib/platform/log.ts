import { pino } from "pino";
import { env } from "./env";
import { serializeError } from "./serialize-error";

/** Structured logs, one JSON line each. Never pass a key, code, token or card; `redact` is only a safety net. */
export const log = pino({
  level: levelOf(),
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: (error: unknown) => serializeError(error) },
  redact: {
    paths: [
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
    censor: "[hidden]",
  },
});

function levelOf() {
  try {
    return env().LOG_LEVEL;
  } catch {
    return "info"; // a build has no configuration
  }
}
