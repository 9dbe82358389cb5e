import { createReadStream } from "node:fs";
import { importKeys } from "@/lib/delivery/import/import-keys";
import type { KeyImportCounts } from "@/lib/delivery/import/import-options";
import { checkVaultKeys } from "@/lib/delivery/vault-keys/check-vault-keys";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { runImport } from "./command/run-import";

const USAGE = "Usage: npm run keys:import -- FILE [--preview] [--confirm-held]";

const summarize = ({ added, unchanged, refused }: KeyImportCounts) =>
  `${added} new, ${unchanged} already there, ${refused} refused`;

await runImport(
  import.meta.url,
  USAGE,
  ({ file, ...options }) =>
    checkVaultKeys().then(() =>
      importKeys(createReadStream(file), {
        ...options,
        onStock: enqueueAssignWaiting,
        onRefused: ({ line, message }) => console.log(`line ${line}: ${message}`),
      }),
    ),
  summarize,
);
