// npm run db:generate -- --name=what: writes a migration of what has changed in db/schema. Of the snapshots of the schema, which
// drizzle-kit compares it with, only the last is kept.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bin, root } from "./start/run.mjs";

const args = ["generate", ...process.argv.slice(2)];
const { status } = spawnSync(bin("drizzle-kit"), args, { cwd: root, stdio: "inherit" });
if (status === 0) {
  const folder = join(root, "db/migrations/meta");
  const snapshots = readdirSync(folder).filter((name) => name.endsWith("_snapshot.json"));
  for (const name of snapshots.sort().slice(0, -1)) rmSync(join(folder, name));
}
process.exit(status ?? 1);
