import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { client } from "@/db/client";
import { repositoryRoot } from "@/scripts/server-process";

/**
 * Runs a broken variant (controls.ts) in its own process on an empty copy of the database and returns what the audit
 * found. Throws when it found nothing, because then the trial could not fail either.
 */
export async function controlOf(name: "coupon" | "allocator" | "skip-locked"): Promise<string> {
  const url = new URL(process.env.DATABASE_URL ?? "");
  const database = `control_${randomBytes(4).toString("hex")}`;
  await client().unsafe(`create database ${database}`);
  url.pathname = `/${database}`;
  try {
    const { code, said: response } = await child(name, url.href);
    if (code !== 0) throw new Error(`the broken variant "${name}" was not seen: ${response.slice(-600)}`);
    return response.trim().split("\n").at(-1) ?? "";
  } finally {
    await client().unsafe(`drop database ${database} with (force)`);
  }
}

function child(name: string, databaseUrl: string): Promise<{ code: number | null; said: string }> {
  return new Promise((done) => {
    const started = spawn(process.execPath, ["--import", "tsx", "tests/faults/broken-variants.ts", name], {
      cwd: repositoryRoot,
      env: { ...process.env, DATABASE_URL: databaseUrl },
    });
    let response = "";
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk) => (response += chunk));
    started.once("exit", (code) => done({ code, said: response }));
  });
}
