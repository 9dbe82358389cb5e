import { afterAll, describe, expect, it } from "vitest";
import { GET as file } from "@/app/api/v1/docs/[file]/route";
import { GET as page } from "@/app/api/v1/docs/route";
import { closeDatabase } from "@/db/client";
import { DOCS_FILES } from "@/lib/platform/api/docs-page";
import { securityHeaders } from "@/lib/platform/http/security-headers";

afterAll(closeDatabase);

const ask = (name: string) =>
  file(new Request(`http://localhost:3000/api/v1/docs/${encodeURIComponent(name)}`), {
    params: Promise.resolve({ file: name }),
  });

describe("the reference page of the API", () => {
  it("answers a page whose files all come from this server", async () => {
    const answer = await page(new Request("http://localhost:3000/api/v1/docs"));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const html = await answer.text();
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(named.filter((address) => !/^(\/api\/v1\/|data:,)/.test(address ?? ""))).toEqual([]);
    expect(html).not.toContain("<script>");
    const files = named.filter((address) => address?.startsWith("/api/v1/docs/"));
    expect(files.map((address) => address?.split("/").at(-1)).sort()).toEqual([...DOCS_FILES].sort());
  });

  it.each(DOCS_FILES)("serves %s", async (name) => {
    const answer = await ask(name);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(name.endsWith(".js") ? /javascript/ : /css/);
    expect((await answer.text()).length).toBeGreaterThan(100);
  });

  it("serves nothing else of the package, nor of the disk", async () => {
    for (const name of [
      "package.json",
      "../../package.json",
      "swagger-ui.js",
      "/etc/passwd",
      "",
      "__proto__",
    ])
      expect([name, (await ask(name)).status]).toEqual([name, 400]);
  });

  it("has a policy of its own, the calls keep theirs", () => {
    const context = { nonce: "n", stripe: true, dev: false, https: true };
    const policy = securityHeaders("/api/v1/docs", context)["Content-Security-Policy"];
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe-inline/);
    for (const other of ["/api/v1/docs/start.js", "/api/v1/cart/list", "/api/v1/docsx"])
      expect(securityHeaders(other, context)["Content-Security-Policy"]).toMatch(
        /^default-src 'none'; frame/,
      );
  });
});
