import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { closeDatabase } from "@/db/client";
import { countKeysUnderOldVaultKeys, rotateKeys } from "@/lib/delivery/custody/commands-rotate";
import { vaultKeyId } from "@/lib/platform/crypto/vault";
import { serializeError } from "@/lib/platform/serialize-error";
import { operator } from "./staff-command";

const USAGE = "Usage: npm run keys:rotate [-- --batch 500]";
const LARGEST_BATCH = 10_000;

/** The size of a batch; undefined when the command is called wrongly. */
function batchOf(args: string[]): number | undefined {
  try {
    const { values } = parseArgs({ args, options: { batch: { type: "string", default: "500" } } });
    const batch = Number(values.batch);
    return Number.isInteger(batch) && batch > 0 && batch <= LARGEST_BATCH ? batch : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reseals all codes under VAULT_KEY; those sealed with an earlier one need it in VAULT_KEYS_OLD, here and in every
 * running process. 0: none is left under an old key. 1: some are. 2: called wrongly.
 */
export async function runRotation(args: string[], out = console.log, err = console.error): Promise<number> {
  const batch = batchOf(args);
  if (batch === undefined) {
    err(USAGE);
    return 2;
  }
  try {
    const total = await countKeysUnderOldVaultKeys();
    out(`${total} codes are sealed with another key than ${vaultKeyId()}, the current one.`);
    let told = Date.now();
    const { resealed, remaining: left } = await rotateKeys({
      batch,
      actor: operator(),
      onProgress(soFar) {
        if (Date.now() - told < 2000) return;
        told = Date.now();
        out(`… ${soFar.resealed} resealed, ${soFar.remaining} left`);
      },
    });
    if (left === 0) {
      out(`${resealed} resealed. No row is left under an old key: VAULT_KEYS_OLD may be emptied.`);
      return 0;
    }
    err(
      `${resealed} resealed, ${left} left: they are in use, or imported by a process that still has the old VAULT_KEY. Run it again.`,
    );
    return 1;
  } catch (error) {
    err(`Stopped, what is resealed stays so: ${serializeError(error).message}`);
    return 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await runRotation(process.argv.slice(2));
  } finally {
    await closeDatabase();
  }
}
