import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../../scripts/server-process";
import { type Started, startProcess, untilReady } from "./processes";

/*
 * The yardstick of the API: a route handler of Next that answers a constant, built by the same Next and served by the
 * shop's own server entry. It is an app of its own, made here, so that the shop's build holds no such route.
 */
const FILES: Record<string, string> = {
  "next.config.mjs": `export default { poweredByHeader: false, generateEtags: false, typescript: { ignoreBuildErrors: true },
  turbopack: { root: ${JSON.stringify(repositoryRoot)} } };`,
  "app/layout.jsx": `export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }`,
  "app/api/trivial/route.js": `export const dynamic = "force-dynamic";
export function GET() { return Response.json({ code: "200", data: null }); }`,
};

/** Builds it once, in `folder` inside the tree (its packages are the shop's), and starts it. */
export async function startTrivial(folder: string, port: number, log: string): Promise<Started> {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if (!existsSync(join(folder, ".next/BUILD_ID"))) {
    const built = spawnSync(
      process.execPath,
      [join(repositoryRoot, "node_modules/next/dist/bin/next"), "build", folder],
      {
        cwd: repositoryRoot,
        env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
        encoding: "utf8",
      },
    );
    if (built.status !== 0)
      throw new Error(`The trivial app does not build:\n${built.stdout}\n${built.stderr}`);
  }
  const started = startProcess({ script: "server.ts", port, cwd: folder, log });
  await untilReady(`http://127.0.0.1:${port}/api/trivial`, started);
  return started;
}
