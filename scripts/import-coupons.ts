import { createReadStream } from "node:fs";
import { importCoupons } from "@/lib/coupons/import/commands";
import { runImport } from "./import-command";

const USAGE = "Usage: npm run coupons:import -- FILE [--preview]";

await runImport(import.meta.url, USAGE, ({ file, preview }) =>
  importCoupons(createReadStream(file), {
    preview,
    onRefused: ({ line, path, message }) => console.log(`line ${line}: ${path ? `${path}: ` : ""}${message}`),
  }),
);
