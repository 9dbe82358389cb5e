import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryRoot } from "@/scripts/start/server-process";
import { type StartedProcess, startProcess, waitUntilReady } from "./processes";

/*
 * The yardstick of API, rendering and search: a Next route handler that returns a constant, built by the same Next and served by the same
 * `next start`. It is a separate app, so that the product build contains no such route.
 */
export const TRIVIAL_PATH = "/api/trivial";

const FILES: Record<string, string> = {
  "next.config.mjs": `export default { poweredByHeader: false, generateEtags: false, typescript: { ignoreBuildErrors: true },
  turbopack: { root: ${JSON.stringify(repositoryRoot)} } };`,
  "app/layout.jsx": `export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }`,
  [`app${TRIVIAL_PATH}/route.js`]: `export const dynamic = "force-dynamic";
export function GET() { return Response.json({ code: "200", data: null }); }`,
};

/** Builds the app once in `folder`, which is inside the repository to share its packages, and starts it. */
export async function startTrivial(folder: string, port: number, log: string): Promise<StartedProcess> {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if (!existsSync(join(folder, ".next/BUILD_ID"))) {
    const build = spawnSync(
      process.execPath,
      [join(repositoryRoot, "node_modules/next/dist/bin/next"), "build", folder],
      {
        cwd: repositoryRoot,
        env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
        encoding: "utf8",
      },
    );
    if (build.status !== 0)
      throw new Error(`The build of the trivial app failed:\n${build.stdout}\n${build.stderr}`);
  }
  const app = startProcess({ port, cwd: folder, log });
  await waitUntilReady(`http://127.0.0.1:${port}${TRIVIAL_PATH}`, app);
  return app;
}
