import { afterAll, describe, expect, it } from "vitest";
import { GET as file } from "@/app/api/v1/docs/[file]/route";
import { GET as page } from "@/app/api/v1/docs/route";
import { closeDatabase } from "@/db/client";
import { DOCS_FILES } from "@/lib/platform/api/docs-page";
import { securityHeaders } from "@/lib/platform/http/security-headers";

afterAll(closeDatabase);

const getFile = (name: string) =>
  file(new Request(`http://localhost:3000/api/v1/docs/${encodeURIComponent(name)}`), {
    params: Promise.resolve({ file: name }),
  });

describe("API reference page", () => {
  it("loads all its files from this server", async () => {
    const response = await page(new Request("http://localhost:3000/api/v1/docs"));
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    const html = await response.text();
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(links.filter((address) => !/^(\/api\/v1\/|data:,)/.test(address ?? ""))).toEqual([]);
    expect(html).not.toContain("<script>");
    const files = links.filter((address) => address?.startsWith("/api/v1/docs/"));
    expect(files.map((address) => address?.split("/").at(-1)).sort()).toEqual([...DOCS_FILES].sort());
  });

  it.each(DOCS_FILES)("serves %s", async (name) => {
    const response = await getFile(name);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(name.endsWith(".js") ? /javascript/ : /css/);
    expect((await response.text()).length).toBeGreaterThan(100);
  });

  it("serves no other file of the package or the disk", async () => {
    for (const name of [
      "package.json",
      "../../package.json",
      "swagger-ui.js",
      "/etc/passwd",
      "",
      "__proto__",
    ])
      expect([name, (await getFile(name)).status]).toEqual([name, 400]);
  });

  it("has its own Content-Security-Policy, while calls keep theirs", () => {
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
