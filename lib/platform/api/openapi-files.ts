import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { env } from "@/lib/platform/env";

/** The calls of the shop's own pages and apps, those for staff, those for merchants. */
export type DocumentName = "public" | "staff" | "merchants";

export const OPENAPI_TYPE = "application/vnd.oai.openapi+json";

const run = promisify(execFile);
let written: Promise<unknown> | undefined;

/**
 * An OpenAPI document, which the build has written (scripts/build.mjs): a bundled route cannot list the others. Where there is no
 * build, as after each start in development (scripts/serve.ts), a process of its own writes the documents at the first request.
 */
export async function openApiFile(name: DocumentName): Promise<string> {
  const folder = env().DEV ? ".next/dev/openapi" : ".next/openapi";
  const path = join(/* turbopackIgnore: true */ process.cwd(), folder, `${name}.json`);
  if (!existsSync(path)) {
    written ??= run(/* turbopackIgnore: true */ process.execPath, [
      ...["--import", "tsx", "scripts/write-openapi.ts"],
      folder,
    ]);
    await written.catch((error: unknown) => {
      written = undefined;
      throw error;
    });
  }
  return readFile(path, "utf8");
}
