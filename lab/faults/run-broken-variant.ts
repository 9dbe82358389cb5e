import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { client } from "@/db/client";
import { repositoryRoot } from "@/scripts/start/server-process";

/**
 * Runs a broken variant (broken-variants.ts) in its own process on an empty copy of the database and returns its
 * summary. Throws when the audit does not detect the variant, because then the trial could not fail either.
 */
export async function runBrokenVariant(name: "coupon" | "allocator" | "skip-locked"): Promise<string> {
  const url = new URL(process.env.DATABASE_URL ?? "");
  const database = `variant_${randomBytes(4).toString("hex")}`;
  await client().unsafe(`create database ${database}`);
  url.pathname = `/${database}`;
  try {
    const { code, output } = await spawnVariant(name, url.href);
    if (code !== 0) throw new Error(`the broken variant "${name}" was not detected: ${output.slice(-600)}`);
    return output.trim().split("\n").at(-1) ?? "";
  } finally {
    await client().unsafe(`drop database ${database} with (force)`);
  }
}

function spawnVariant(name: string, databaseUrl: string): Promise<{ code: number | null; output: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, ["--import", "tsx", "lab/faults/broken-variants.ts", name], {
      cwd: repositoryRoot,
      env: { ...process.env, DATABASE_URL: databaseUrl },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.once("exit", (code) => done({ code, output }));
  });
}
