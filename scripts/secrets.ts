import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readJson, writeJson } from "./process-lock";

const makers = {
  AUTH_SECRET: () => randomBytes(48).toString("base64url"),
  VAULT_KEY: () => randomBytes(32).toString("base64"),
  VAULT_HASH_KEY: () => randomBytes(32).toString("base64"),
  STRIPE_WEBHOOK_SECRET: () => `whsec_${randomBytes(32).toString("base64")}`,
};

export type Secrets = Record<keyof typeof makers, string>;

/**
 * The secrets of a demo, made once and kept in `<dataDir>/secrets.json` (readable by its owner only).
 * What the environment already sets wins and is not written down.
 */
export function loadSecrets(dataDir: string): Secrets {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, "secrets.json");
  const kept = existsSync(path) ? readKept(path) : keepFirst(path, makeSecrets({}));
  const all = makeSecrets(kept);
  if (Object.keys(all).some((name) => !(name in kept))) writeJson(path, { ...kept, ...all });
  for (const name of Object.keys(makers) as (keyof Secrets)[]) {
    const given = process.env[name];
    if (given) all[name] = given;
  }
  return all;
}

function makeSecrets(kept: Partial<Secrets>): Secrets {
  const entries = Object.entries(makers).map(([name, make]) => [name, kept[name as keyof Secrets] ?? make()]);
  return Object.fromEntries(entries) as Secrets;
}

function readKept(path: string): Partial<Secrets> {
  const kept = readJson<Partial<Secrets>>(path);
  // Making new ones would leave every stored activation code unreadable, so that is the owner's choice.
  if (!kept)
    throw new Error(`${path} cannot be read: restore it, or remove the folder around it to begin anew.`);
  return kept;
}

/** Two first starts at once must end with the same secrets: the first link wins. */
function keepFirst(path: string, fresh: Secrets): Partial<Secrets> {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return fresh;
  } catch {
    return readKept(path);
  } finally {
    unlinkSync(draft);
  }
}
