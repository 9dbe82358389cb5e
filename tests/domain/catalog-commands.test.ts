import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { InvalidPictureError } from "@/lib/catalog/images/validate-picture";
import { imagesInFolder, importCatalogWhenEmpty } from "@/scripts/import-catalog";
import { isComplete } from "@/tests/setup/rounds";

afterAll(closeDatabase);
const folder = join(process.env.DATA_DIR ?? "", "import");
mkdirSync(folder, { recursive: true });

/** Its exit code and its output, without the progress that only a slow machine prints. */
function runScript(script: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--import", "tsx", `scripts/${script}.ts`, ...args],
      (error, stdout, stderr) => {
        const output = (stdout + stderr).replace(/^… .*\n/gm, "").trim();
        resolve({ code: typeof error?.code === "number" ? error.code : 0, output });
      },
    );
  });
}

describe("the import commands", () => {
  // Each process takes seconds to start; catalog-import.test.ts and keys-import.test.ts test the imports themselves.
  it("preview, import and report counts, with exit code 0", async () => {
    if (isComplete)
      expect(await runScript("import-catalog", "db/seed/catalog.jsonl", "--preview")).toEqual({
        code: 0,
        output: "Preview, nothing was written: 94 new, 0 changed, 0 unchanged, 0 refused",
      });
    expect(await runScript("import-catalog", "db/seed/catalog.jsonl")).toEqual({
      code: 0,
      output: "94 new, 0 changed, 0 unchanged, 0 refused",
    });
    if (isComplete)
      expect((await runScript("import-catalog", "db/seed/catalog.jsonl")).output).toBe(
        "0 new, 0 changed, 94 unchanged, 0 refused",
      );
    expect((await runScript("import-keys", "db/seed/keys.csv", "--preview")).output).toMatch(
      /^Preview, nothing was written: 3289 new/,
    );
    expect((await runScript("import-keys", "db/seed/keys.csv")).output).toBe(
      "3289 new, 0 already there, 0 refused",
    );
    if (isComplete)
      expect(await runScript("import-keys", "db/seed/keys.csv")).toEqual({
        code: 0,
        output: "0 new, 3289 already there, 0 refused",
      });
    const [jobs] =
      await client()`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'assign-waiting'`;
    const [stocked] = await client()`select count(distinct plan_id)::int as n from keys`;
    expect(jobs).toEqual(stocked);
  });

  it("exit with 1 for a rejected line, without printing the key, and with 2 for wrong arguments", async () => {
    const file = join(folder, "bad.csv");
    writeFileSync(file, "product,plan,key\nnowhere,day,TOP-SECRET-1\n");
    expect(await runScript("import-keys", file)).toEqual({
      code: 1,
      output: "line 2: There is no such product.\n0 new, 0 already there, 1 refused",
    });
    expect((await runScript("import-keys")).code).toBe(2);
    if (!isComplete) return;
    writeFileSync(join(folder, "bad.jsonl"), "{}\n");
    const failedImport = await runScript("import-catalog", join(folder, "bad.jsonl"));
    expect(failedImport.code).toBe(1);
    expect(failedImport.output).toMatch(/^line 1: kind: .*\n0 new, 0 changed, 0 unchanged, 1 refused$/);
    expect((await runScript("import-catalog", join(folder, "none.jsonl"))).output).toMatch(
      /^There is no file .*none\.jsonl\.$/,
    );
    expect((await runScript("import-catalog")).code).toBe(2);
  });

  it("skip the demo import when the shop has products", async () => {
    const output: string[] = [];
    await importCatalogWhenEmpty((line) => output.push(line));
    expect(output).toEqual([]);
  });
});

describe("pictures next to an import file", () => {
  it("are read only from its folder", async () => {
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#c2410c" } })
      .png()
      .toBuffer();
    mkdirSync(join(folder, "pictures"), { recursive: true });
    writeFileSync(join(folder, "pictures/a.png"), picture);
    writeFileSync(join(folder, "..", "outside.png"), picture);
    writeFileSync(join(folder, "secret.txt"), "x");
    symlinkSync(join(folder, "..", "outside.png"), join(folder, "link.png"));
    const readImage = imagesInFolder(join(folder, "catalog.jsonl"));
    expect(await readImage("pictures/a.png")).toEqual(picture);
    for (const path of [
      "../outside.png",
      join(folder, "..", "outside.png"),
      "link.png",
      "secret.txt",
      "none.png",
      ".",
      "a\0.png",
    ])
      await expect(readImage(path)).rejects.toBeInstanceOf(InvalidPictureError);
  });
});
