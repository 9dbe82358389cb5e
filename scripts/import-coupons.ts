import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { FaceValueError, importCouponsByOperator } from "@/lib/staff/imports/import-coupons-by-operator";
import { runImport } from "./command/run-import";
import { operator } from "./staff/command";

const USAGE = "Usage: npm run coupons:import -- FILE [--preview] [--confirm-held]";
const NEEDS_SECOND_PERSON =
  "The coupons are worth more than one person may add a day. Send the file in the console under Imports; once a second person has approved it there, this command takes it too.";

await runImport(import.meta.url, USAGE, async ({ file, preview, confirmHeld, onProgress }) =>
  importCouponsByOperator([await readFile(file)], {
    actor: operator(),
    name: basename(file),
    preview,
    confirmHeld,
    onProgress,
    onRefused: ({ line, path, message }) => console.log(`line ${line}: ${path ? `${path}: ` : ""}${message}`),
  }).catch((error: unknown) => {
    throw error instanceof FaceValueError ? new Error(NEEDS_SECOND_PERSON) : error;
  }),
);
