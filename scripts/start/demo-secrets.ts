import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "./process-lock";
import { SECRETS_FILE } from "./secrets";

/** Rejects, in production, secrets that a demo has made for itself in the data folder: everyone who ran the demo has them. */
export function rejectDemoSecrets(dataDir: string, variables: Record<string, string | undefined>): void {
  const path = join(dataDir, SECRETS_FILE);
  const stored = existsSync(path) ? readJson<Record<string, string>>(path) : undefined;
  const name = Object.keys(stored ?? {}).find((key) => variables[key] && variables[key] === stored?.[key]);
  if (name)
    throw new Error(
      `Configuration: ${name} is that of a demo (${path}): production needs secrets of its own.`,
    );
}
