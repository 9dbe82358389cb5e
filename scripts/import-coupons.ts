import { createReadStream } from "node:fs";
import { importCoupons } from "@/lib/coupons/import/commands";
import { runImport } from "./import-command";

const USAGE = "Usage: npm run coupons:import -- FILE [--preview] [--confirm-held]";

await runImport(import.meta.url, USAGE, ({ file, preview, confirmHeld }) =>
  importCoupons(createReadStream(file), {
    preview,
    confirmHeld,
    onRefused: ({ line, path, message }) => console.log(`line ${line}: ${path ? `${path}: ` : ""}${message}`),
  }),
);
