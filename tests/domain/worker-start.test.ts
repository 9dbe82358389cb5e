import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { env } from "@/lib/platform/env";

/** Starts a worker with other variables, and returns what it says when its start fails. */
function startWorker(variables: Record<string, string>) {
  const { DATABASE_URL } = env();
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", "scripts/work.ts"], {
    env: { ...process.env, DATABASE_URL, METRICS_PORT: "", ...variables } as NodeJS.ProcessEnv,
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status, stderr };
}

it("a worker that cannot start says why in one sentence and exits with 1", async () => {
  const missing = { VAULT_KEY: "", VAULT_KEY_FILE: "/nowhere/vault_key" };
  expect(startWorker(missing)).toEqual({
    status: 1,
    stderr: "Configuration: VAULT_KEY_FILE names a file that cannot be read (ENOENT): /nowhere/vault_key.\n",
  });
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as { port: number };
  expect(startWorker({ METRICS_PORT: `${port}` })).toEqual({
    status: 1,
    stderr: `METRICS_PORT ${port} is in use: each process on a machine needs one of its own.\n`,
  });
  listener.close();
  const file = join(mkdtempSync(join(tmpdir(), "data-")), "file");
  writeFileSync(file, "no folder");
  expect(startWorker({ DATA_DIR: file })).toEqual({
    status: 1,
    stderr: `DATA_DIR ${file} cannot be written to (ENOTDIR): MAIL_MODE=local stores emails there, mount it writable.\n`,
  });
  rmSync(dirname(file), { recursive: true });
});
