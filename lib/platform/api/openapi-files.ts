import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { env } from "@/lib/platform/env";

/** The calls of the shop's own pages and apps, those for staff, those for merchants. */
export type DocumentName = "public" | "staff" | "merchants";

export const OPENAPI_TYPE = "application/vnd.oai.openapi+json";

/** For public documents, and for those of staff. */
const CACHE_CONTROL = {
  public: "public, max-age=300",
  merchants: "public, max-age=300",
  staff: "private, no-store",
} as const;

const run = promisify(execFile);
let written: Promise<unknown> | undefined;

/**
 * An OpenAPI document, which the build has written (scripts/build.mjs): a bundled route cannot list the others. Where there is no
 * build, as after each start in development (scripts/start/serve.ts), a process of its own writes the documents at the first request.
 */
async function openApiFile(name: DocumentName): Promise<string> {
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

/** The response that sends a document. */
export const openApiResponse = async (name: DocumentName): Promise<Response> =>
  new Response(await openApiFile(name), {
    headers: { "Content-Type": OPENAPI_TYPE, "Cache-Control": CACHE_CONTROL[name] },
  });
