import { describe, expect, it } from "vitest";
import { inMemory, watchFile } from "@/lib/platform/imports/file";
import { refusedLines } from "@/lib/platform/imports/rules";

const count = async (file: Buffer, size: number) => {
  const chunks = Array.from({ length: Math.ceil(file.length / size) }, (_, i) =>
    file.subarray(i * size, (i + 1) * size),
  );
  return (await watchFile(inMemory(chunks)).end()).lines;
};

describe("the lines of an imported file", () => {
  const texts: [string, number][] = [
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["a\r\nb\r\n", 2],
    ["a\rb\r", 2],
    ["a\r\rb", 3],
    ["a\r\n\r\nb", 3],
    ["\n\n", 2],
  ];
  it.each(texts)("of %j are counted in every encoding", async (text, lines) => {
    const wide = Buffer.from(text, "utf16le");
    for (const file of [Buffer.from(text), wide, Buffer.from(wide).swap16()])
      for (const size of [1, 2, 3, 1_000]) expect(await count(file, size)).toBe(lines);
  });

  it("that were refused are saved below the header and the delimiter line", () => {
    const text = "sep=;\r\n;;\r\nproduct;plan;key\r\nx;day;A\r\nx;day;B\r\n";
    expect(refusedLines(text, [{ line: 5 }], { hasHeader: true })).toBe("sep=;\nproduct;plan;key\nx;day;B\n");
    expect(refusedLines("product,plan,key\rx,day,A\rx,day,B", [{ line: 3 }], { hasHeader: true })).toBe(
      "product,plan,key\nx,day,B\n",
    );
  });
});
