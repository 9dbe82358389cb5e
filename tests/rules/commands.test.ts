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
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { checkNode } from "@/scripts/install.mjs";
import { testEnvironment } from "../setup/environment";

/** A copy of the scripts without a build, beside this repository's code. */
let shop: string;
beforeAll(() => {
  shop = mkdtempSync(join(tmpdir(), "shop-"));
  cpSync("scripts", join(shop, "scripts"), { recursive: true });
  for (const name of ["node_modules", "lib", "db", "package.json", "package-lock.json", "tsconfig.json"])
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
  const said = vi.spyOn(console, "error").mockReturnValue();
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  for (const version of ["20.20.0", "20.21.1", "22.0.0", "24.9.0"]) checkNode(version);
  expect(exit).not.toHaveBeenCalled();
  for (const version of ["20.19.9", "18.20.0"]) {
    checkNode(version);
    expect(said).toHaveBeenLastCalledWith(`Passlane needs Node 20.20 or newer; this is ${version}.`);
    expect(exit).toHaveBeenLastCalledWith(1);
  }
  expect(exit).toHaveBeenCalledTimes(2);
  vi.restoreAllMocks();
});

it("a release is left alone by the next one with its id", () => {
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

it("a start in production without a build says so, and neither builds nor asks the database", () => {
  const start = runNode(["--import", "tsx", "scripts/serve.ts"], {
    ...testEnvironment,
    APP_MODE: "production",
    APP_URL: "https://shop.example",
    ALLOW_SANDBOX_IN_PRODUCTION: "1",
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
  });
  expect(start).toEqual({
    status: 1,
    stdout: "",
    stderr:
      "Nothing is built here: run npm run build first, or npm run release (docs/operations.md#releases).\n",
  });
});
