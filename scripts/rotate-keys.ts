import { parseArgs } from "node:util";
import { countKeysUnderOldVaultKeys, rotateKeys } from "@/lib/delivery/custody/rotate-keys";
import { checkVaultKeys } from "@/lib/delivery/vault-keys/check-vault-keys";
import { countDocumentsUnderOldVaultKeys, resealDocuments } from "@/lib/merchants/trade-file/documents";
import { resealAccounts } from "@/lib/payouts/accounts/reseal-accounts";
import { vaultKeyId } from "@/lib/platform/crypto/vault";
import { serializeError } from "@/lib/platform/serialize-error";
import { resealFactors } from "@/lib/staff/factors/reseal-factors";
import { resealSecrets } from "@/lib/webhooks/endpoints/reseal-secrets";
import { countOf } from "./command/count-of";
import { runCommand } from "./command/run-command";
import { operator } from "./staff/command";

const USAGE = "Usage: npm run keys:rotate [-- --batch 500]";
const MAX_BATCH = 10_000;

/** Parses the batch size; undefined for invalid arguments. */
function parseBatch(args: string[]): number | undefined {
  try {
    const { values } = parseArgs({ args, options: { batch: { type: "string", default: "500" } } });
    const batch = Number(values.batch);
    return Number.isInteger(batch) && batch > 0 && batch <= MAX_BATCH ? batch : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Re-encrypts all codes, the secrets of authenticator apps and webhook endpoints, and the accounts and documents of merchants, under VAULT_KEY. Earlier keys must be in VAULT_KEYS_OLD, here and in every
 * running process. Exit codes: 0 no code is left under an old key; 1 some are; 2 invalid arguments.
 */
export async function runRotation(args: string[], out = console.log, err = console.error): Promise<number> {
  const batch = parseBatch(args);
  if (batch === undefined) {
    err(USAGE);
    return 2;
  }
  try {
    await checkVaultKeys();
    const total = await countKeysUnderOldVaultKeys();
    out(
      `${countOf(total, "code is", "codes are")} sealed with another key than ${vaultKeyId()}, the current one.`,
    );
    out(`${countOf(await resealFactors(), "secret")} of authenticator apps resealed.`);
    out(`${countOf(await resealSecrets(), "secret")} of webhook endpoints resealed.`);
    out(`${countOf(await resealAccounts(), "payout account")} resealed.`);
    out(`${countOf(await resealDocuments(), "document")} of merchants resealed.`);
    let reportedAt = Date.now();
    const { resealed, remaining: left } = await rotateKeys({
      batch,
      actor: operator(),
      onProgress(soFar) {
        if (Date.now() - reportedAt < 2000) return;
        reportedAt = Date.now();
        out(`… ${soFar.resealed} resealed, ${soFar.remaining} left`);
      },
    });
    if (left + (await countDocumentsUnderOldVaultKeys()) === 0) {
      out(`${resealed} resealed. No row is left under an old key: VAULT_KEYS_OLD may be emptied.`);
      return 0;
    }
    err(
      `${resealed} resealed, ${left} left: they are in use, or imported by a process that still has the old VAULT_KEY. Run it again.`,
    );
    return 1;
  } catch (error) {
    err(`Stopped; resealed codes stay resealed: ${serializeError(error).message}`);
    return 1;
  }
}

await runCommand(import.meta.url, runRotation);
