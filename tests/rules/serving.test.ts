import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
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
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findServing, recordServing } from "@/scripts/start/serving.mjs";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "serving-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const address = "http://localhost:3000";

describe("a served build", () => {
  it("is detected while one of its servers runs", async () => {
    const build = join(folder, "build");
    expect(findServing(build)).toBeUndefined();
    const server = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
    await once(server, "spawn");
    recordServing(build, { pid: server.pid!, address });
    const remove = recordServing(build, { pid: process.pid, address: "http://localhost:4000" });
    remove();
    expect(findServing(build)).toEqual({ pid: server.pid, address });
    server.kill("SIGKILL"); // its note stays
    await once(server, "exit");
    expect(readdirSync(join(build, "serving"))).toHaveLength(1);
    expect(findServing(build)).toBeUndefined();
  });

  it("is not confused by another process with the same id, or by a truncated note", () => {
    const build = join(folder, "reused");
    mkdirSync(join(build, "serving"), { recursive: true });
    const note = JSON.stringify({ pid: process.pid, birth: "1", address });
    writeFileSync(join(build, "serving", `${process.pid}.json`), note);
    writeFileSync(join(build, "serving", "1.json"), '{"pid":1');
    expect(findServing(build)).toBeUndefined();
  });

  it("is not replaced by the next build, which says who serves and changes nothing", () => {
    const shop = join(folder, "shop");
    cpSync("scripts", join(shop, "scripts"), { recursive: true });
    symlinkSync(join(process.cwd(), "node_modules"), join(shop, "node_modules"));
    mkdirSync(join(shop, ".next"));
    const marker = join(shop, ".next", "passlane-build");
    writeFileSync(marker, "of other sources");
    recordServing(join(shop, ".next"), { pid: process.pid, address });
    const { status, stderr } = spawnSync(process.execPath, ["scripts/build.mjs"], {
      cwd: shop,
      encoding: "utf8",
    });
    expect(stderr).toBe(
      `The server at ${address} (process ${process.pid}) serves from this build: stop it first, or make a release beside it with npm run release (docs/operations.md#releases).\n`,
    );
    expect([status, readFileSync(marker, "utf8")]).toEqual([1, "of other sources"]);
  });

  it("can be served from a read-only folder", () => {
    const build = join(folder, "file");
    writeFileSync(build, "no folder");
    chmodSync(build, 0o444);
    expect(recordServing(build, { pid: process.pid, address })()).toBeUndefined();
  });
});
