import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "@/scripts/start/ports";
import { testEnvironment } from "../setup/environment";

/** A copy of the scripts and of lib without a build, beside this repository's other code. */
let shop: string;
beforeAll(() => {
  shop = mkdtempSync(join(tmpdir(), "shop-"));
  for (const folder of ["scripts", "lib"]) cpSync(folder, join(shop, folder), { recursive: true });
  for (const name of ["node_modules", "db", "messages", "package.json", "package-lock.json", "tsconfig.json"])
    symlinkSync(join(process.cwd(), name), join(shop, name));
});
afterAll(() => rmSync(shop, { recursive: true }));

const runNode = (args: string[], variables: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: shop,
    encoding: "utf8",
    env: { ...process.env, ...variables } as NodeJS.ProcessEnv,
    timeout: 50_000,
  });
  return { status, stdout, stderr };
};

it("an older Node is refused with one sentence", () => {
  const check = (version: string) =>
    runNode(["-e", `import("./scripts/start/install.mjs").then(({ checkNode }) => checkNode("${version}"))`]);
  const accepted = { status: 0, stdout: "", stderr: "" };
  expect([check("20.20.0"), check("24.9.0")]).toEqual([accepted, accepted]);
  for (const version of ["20.19.9", "18.20.0"])
    expect(check(version)).toEqual({
      status: 1,
      stdout: "",
      stderr: `Passlane needs Node 20.20 or newer; this is ${version}.\n`,
    });
});

it("a release is not overwritten by the next one with its id", () => {
  const folder = join(shop, "releases", "first");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "server.js"), "served");
  expect(runNode(["scripts/release.mjs", "--id=first"])).toEqual({
    status: 1,
    stdout: "",
    stderr: "releases/first exists.\n",
  });
  expect(readdirSync(join(shop, "releases"))).toEqual(["first"]);
  expect(readFileSync(join(folder, "server.js"), "utf8")).toBe("served");
});

const startInProduction = async () =>
  runNode(["--import", "tsx", "scripts/start/serve.ts"], {
    ...testEnvironment,
    APP_MODE: "production",
    APP_URL: "https://shop.example",
    ALLOW_SANDBOX_IN_PRODUCTION: "1",
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    PORT: `${await freePort()}`,
  });

it("a start in production without a build says so, and neither builds nor queries the database", async () => {
  expect(await startInProduction()).toEqual({
    status: 1,
    stdout: "",
    stderr:
      "Nothing is built here: run npm run build first, or npm run release (docs/operations.md#releases).\n",
  });
});

/** Replaces scripts/start/server-process.ts: prints what the start asks for. The server ends immediately. */
const SERVER_PROCESS = `
  export const repositoryRoot = process.cwd();
  export const prepareDatabase = async (_: unknown, { catalog, account }: { catalog: boolean; account: boolean }) =>
    console.log("prepare", catalog, account);
  export const runScript = async (args: string[]) => (console.log("run", ...args), 0);
  export const startServer = () => {
    console.log("serve");
    return { process: { pid: 1 }, ended: Promise.resolve({ code: 3, signal: null }), stop: async () => {} };
  };
  export const waitUntilReady = async () => true;
  export const endChildren = async () => {};`;

it("a start in production serves what was built, and neither builds nor loads a demo", async () => {
  mkdirSync(join(shop, ".next"));
  writeFileSync(join(shop, ".next", "passlane-build"), "of other sources");
  writeFileSync(join(shop, "scripts/start/server-process.ts"), SERVER_PROCESS);
  writeFileSync(
    join(shop, "scripts/postgres/old-database.ts"),
    "export const rejectOldDatabase = async () => {};",
  );
  writeFileSync(join(shop, "scripts/start/demo-secrets.ts"), "export const rejectDemoSecrets = () => {};");
  writeFileSync(
    join(shop, "lib", "staff", "demo", "reject-demo-database.ts"),
    "export const rejectDemoDatabase = async () => {};",
  );
  const { stdout, stderr } = await startInProduction();
  const [migrating, prepared, served, ...rest] = stdout.split("\n");
  expect([migrating, prepared, served]).toEqual(["Migrating the database …", "prepare false false", "serve"]);
  expect(rest.join("\n")).not.toContain("run ");
  expect(stderr).toBe("The server ended unexpectedly (exit code 3).\n");
});
