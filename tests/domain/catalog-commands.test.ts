import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { InvalidPictureError } from "@/lib/catalog/images/commands";
import { imagesInFolder, importCatalogWhenEmpty } from "@/scripts/import-catalog";

afterAll(closeDatabase);
const folder = join(process.env.DATA_DIR ?? "", "import");
mkdirSync(folder, { recursive: true });

function runScript(script: string, ...args: string[]): Promise<{ code: number; said: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      ["--import", "tsx", `scripts/${script}.ts`, ...args],
      (error, stdout, stderr) =>
        done({ code: typeof error?.code === "number" ? error.code : 0, said: (stdout + stderr).trim() }),
    );
  });
}

describe("the commands", () => {
  it("import, preview, report and end as they should", async () => {
    expect(await runScript("import-catalog", "db/seed/catalog.jsonl", "--preview")).toEqual({
      code: 0,
      said: "Preview, nothing was written: 94 new, 0 changed, 0 unchanged, 0 refused",
    });
    expect((await runScript("import-catalog", "db/seed/catalog.jsonl")).said).toBe(
      "94 new, 0 changed, 0 unchanged, 0 refused",
    );
    expect((await runScript("import-catalog", "db/seed/catalog.jsonl")).said).toBe(
      "0 new, 0 changed, 94 unchanged, 0 refused",
    );
    expect((await runScript("import-keys", "db/seed/keys.csv", "--preview")).said).toMatch(
      /^Preview, nothing was written: 3289 new/,
    );
    expect((await runScript("import-keys", "db/seed/keys.csv")).said).toBe(
      "3289 new, 0 already there, 0 refused",
    );
    expect(await runScript("import-keys", "db/seed/keys.csv")).toEqual({
      code: 0,
      said: "0 new, 3289 already there, 0 refused",
    });
    const [jobs] =
      await client()`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'assign-waiting'`;
    const [stocked] = await client()`select count(distinct plan_id)::int as n from keys`;
    expect(jobs).toEqual(stocked);
  }, 120_000);

  it("say 1 when a line is refused, without the key, and 2 when called wrongly", async () => {
    const file = join(folder, "bad.csv");
    writeFileSync(file, "product,plan,key\nnowhere,day,TOP-SECRET-1\n");
    expect(await runScript("import-keys", file)).toEqual({
      code: 1,
      said: "line 2: There is no such product.\n0 new, 0 already there, 1 refused",
    });
    writeFileSync(join(folder, "bad.jsonl"), "{}\n");
    const refused = await runScript("import-catalog", join(folder, "bad.jsonl"));
    expect(refused.code).toBe(1);
    expect(refused.said).toMatch(/^line 1: kind: .*\n0 new, 0 changed, 0 unchanged, 1 refused$/);
    expect((await runScript("import-catalog", join(folder, "none.jsonl"))).said).toMatch(
      /^There is no file .*none\.jsonl\.$/,
    );
    for (const script of ["import-catalog", "import-keys"]) expect((await runScript(script)).code).toBe(2);
  }, 120_000);

  it("fill a shop only when it has no product", async () => {
    const said: string[] = [];
    await importCatalogWhenEmpty((line) => said.push(line));
    expect(said).toEqual([]);
  });
});

describe("pictures beside a file", () => {
  it("are read from its folder and from nowhere else", async () => {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#c2410c" } })
      .png()
      .toBuffer();
    mkdirSync(join(folder, "pictures"), { recursive: true });
    writeFileSync(join(folder, "pictures/a.png"), png);
    writeFileSync(join(folder, "..", "outside.png"), png);
    writeFileSync(join(folder, "secret.txt"), "x");
    symlinkSync(join(folder, "..", "outside.png"), join(folder, "link.png"));
    const read = imagesInFolder(join(folder, "catalog.jsonl"));
    expect(await read("pictures/a.png")).toEqual(png);
    for (const path of [
      "../outside.png",
      join(folder, "..", "outside.png"),
      "link.png",
      "secret.txt",
      "none.png",
      ".",
      "a\0.png",
    ])
      await expect(read(path)).rejects.toBeInstanceOf(InvalidPictureError);
  });
});
