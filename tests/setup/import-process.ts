import { createReadStream } from "node:fs";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { runImport } from "@/lib/staff/imports/run-import";

// Imports a file of codes as a staff member in a process that the test kills: FILE SHA256 VIEWER (JSON).
const [file = "", sha256 = "", viewer = ""] = process.argv.slice(2);
const { import_id } = await runImport(JSON.parse(viewer) as StaffViewer, "keys", createReadStream(file), {
  sha256,
  name: "keys.csv",
});
console.log(import_id);
