import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DOCUMENT, renderOpenApi } from "@/scripts/write-openapi";

/** The first line at which two texts part, for a message one can read. */
function drift(written: string, fresh: string): string | undefined {
  if (written === fresh) return undefined;
  const [old, now] = [written.split("\n"), fresh.split("\n")];
  const line = now.findIndex((text, i) => text !== old[i]);
  return `openapi.json line ${line + 1} says “${old[line]?.trim()}”, the routes say “${now[line]?.trim()}”: npx tsx scripts/write-openapi.ts`;
}

describe("the OpenAPI document", () => {
  it("is what the route files say, to the byte", async () => {
    const written = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, "utf8") : "";
    expect(drift(written, await renderOpenApi())).toBeUndefined();
  }, 60_000);

  it("a drift does not pass", () => {
    expect(drift("a\nb\n", "a\nc\n")).toMatch(/line 2 says “b”, the routes say “c”/);
    expect(drift("", "a\n")).toMatch(/line 1/);
  });
});
