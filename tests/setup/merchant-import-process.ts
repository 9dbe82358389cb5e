import { createReadStream } from "node:fs";
import { importKeyFile } from "@/lib/merchants/key-files/import-key-file";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";

// Imports a file of codes for a merchant in a process that the test kills: FILE SHA256 VIEWER (JSON).
const [file = "", sha256 = "", viewer = ""] = process.argv.slice(2);
const origin = { sha256, name: "keys.csv", source: "issued", statement: "Made by our server." } as const;
await importKeyFile(JSON.parse(viewer) as MerchantViewer, createReadStream(file), origin, {
  locale: "en",
  onStock: enqueueAssignWaiting,
});
