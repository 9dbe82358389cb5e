import { fileURLToPath } from "node:url";
import { closeDatabase } from "@/db/client";
import { env } from "@/lib/platform/env";
import { serializeError } from "@/lib/platform/serialize-error";
import { rejectDemoDatabase } from "@/lib/staff/demo/reject-demo-database";

/**
 * Runs `main` if the module at `moduleUrl` was started as a command. The exit code is the result of `main`, or 1 if it
 * throws. The message then lacks the values of a failed statement, which may be keys.
 */
export async function runCommand(
  moduleUrl: string,
  main: (args: string[]) => Promise<number>,
  { needsDatabase = true } = {},
): Promise<void> {
  if (process.argv[1] !== fileURLToPath(moduleUrl)) return;
  try {
    if (needsDatabase) await rejectDemoDatabase(env().DATABASE_DIRECT_URL, env(), console.log);
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(`Stopped: ${serializeError(error).message}`);
    process.exitCode = 1;
  } finally {
    await closeDatabase();
  }
}
