import { type LoggerOptions, pino } from "pino";
import { env } from "./env";
import { serializeError } from "./serialize-error";

/** Standard output. A line that cannot be written, for example to a full disk, is lost, but ends no process. */
const output = pino.destination(1);
output.on("error", () => {});

const options: LoggerOptions = {
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
};

/** Structured logs, one JSON line each. Never pass a key, code, token or card; `redact` is only a safety net. */
export const log = pino(options, output);

function levelOf() {
  try {
    return env().LOG_LEVEL;
  } catch {
    return "info"; // a build has no configuration
  }
}
