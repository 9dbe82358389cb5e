import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readJson, writeJson } from "./process-lock";

const generators = {
  AUTH_SECRET: () => randomBytes(48).toString("base64url"),
  VAULT_KEY: () => randomBytes(32).toString("base64"),
  VAULT_HASH_KEY: () => randomBytes(32).toString("base64"),
  STRIPE_WEBHOOK_SECRET: () => `whsec_${randomBytes(32).toString("base64")}`,
};

/** In the data folder of a demo. */
export const SECRETS_FILE = "secrets.json";

export type Secrets = Record<keyof typeof generators, string>;

/**
 * The secrets of a demo, generated once and stored in `<dataDir>/secrets.json` (readable by its owner only).
 * Variables of the environment take precedence and are not stored.
 */
export function loadSecrets(dataDir: string, variables: Record<string, string | undefined>): Secrets {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, SECRETS_FILE);
  const stored = existsSync(path) ? readStored(path) : storeFirst(path, generateMissing({}));
  const all = generateMissing(stored);
  if (Object.keys(all).some((name) => !(name in stored))) writeJson(path, { ...stored, ...all });
  for (const name of Object.keys(generators) as (keyof Secrets)[]) {
    const fromEnvironment = variables[name];
    if (fromEnvironment) all[name] = fromEnvironment;
  }
  return all;
}

function generateMissing(stored: Partial<Secrets>): Secrets {
  const entries = Object.entries(generators).map(([name, make]) => [
    name,
    stored[name as keyof Secrets] ?? make(),
  ]);
  return Object.fromEntries(entries) as Secrets;
}

function readStored(path: string): Partial<Secrets> {
  const stored = readJson<Partial<Secrets>>(path);
  // New secrets would make every stored activation code unreadable, so the owner must decide.
  if (!stored) throw new Error(`${path} cannot be read: restore it, or remove its folder to start over.`);
  return stored;
}

/** Concurrent first starts must use the same secrets: the first link counts. */
function storeFirst(path: string, secrets: Secrets): Partial<Secrets> {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return secrets;
  } catch {
    return readStored(path);
  } finally {
    unlinkSync(draft);
  }
}
