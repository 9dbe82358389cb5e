import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { exitCode, fileError } from "@/scripts/command/run-import";

const folder = mkdtempSync(join(tmpdir(), "import-"));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe("import commands", () => {
  it("describe an unreadable file in one sentence", async () => {
    expect(await fileError(join(folder, "none.csv"))).toBe(`There is no file ${folder}/none.csv.`);
    expect(await fileError(folder)).toMatch(/is a folder/);
    expect(await fileError(file("empty.csv", ""))).toMatch(/is empty/);
    expect(await fileError(file("some.csv", "x"))).toBeUndefined();
  });

  it("exit with 1 when no line was imported or one was rejected", () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    expect(exitCode({ added: 0, unchanged: 0, refused: 0 })).toBe(1);
    expect(logged).toHaveBeenCalledWith("The file contains nothing to import.");
    expect(exitCode({ added: 3, unchanged: 0, refused: 1 })).toBe(1);
    expect(exitCode({ added: 0, unchanged: 3, refused: 0 })).toBe(0);
    logged.mockRestore();
  });
});
