import { describe, expect, it } from "vitest";
import { sanitizeHeaders } from "@/lib/platform/http/sanitize-headers";
import {
  contentPolicy,
  type HeaderContext,
  isRenderedPerRequest,
  securityHeaders,
} from "@/lib/platform/http/security-headers";
import { readiness, untilCurrent } from "@/lib/platform/readiness";
import { ROUTES } from "@/lib/platform/routing/routes";

const context = { nonce: "bm9uY2U=", stripe: false, dev: false, https: false };
const getPolicy = (path: string, overrides: Partial<HeaderContext> = {}) =>
  securityHeaders(path, { ...context, ...overrides })["Content-Security-Policy"] ?? "";

describe("sanitizeHeaders", () => {
  const sanitize = (headers: Record<string, string>, trustedProxies = 0) => {
    const id = sanitizeHeaders(headers, { remoteAddress: "10.0.0.9", trustedProxies });
    return { ...headers, id };
  };

  it("removes headers that only the server may set", () => {
    const forged = [
      "x-middleware-rewrite",
      "x-middleware-subrequest",
      "x-middleware-override-headers",
      "x-nextjs-data",
      "x-matched-path",
      "x-now-route-matches",
      "x-invoke-status",
      "x-next-revalidated-tags",
      "x-prerender-revalidate",
      "next-resume",
      "next-action",
      "content-security-policy",
      "content-security-policy-report-only",
      "x-next-intl-locale",
      "x-forwarded-host",
      "x-forwarded-proto",
    ];
    const remaining = sanitize(Object.fromEntries(forged.map((name) => [name, "1"])));
    for (const name of forged) expect(remaining).not.toHaveProperty(name);
    const allowed = {
      rsc: "1",
      "next-router-state-tree": "[]",
      cookie: "a=b",
      "user-agent": "x",
      "x-nextjs-request-id": "r",
    };
    expect(sanitize({ ...allowed })).toMatchObject(allowed);
  });

  it("accepts forwarded addresses only from trusted proxies", () => {
    const forged = { "x-forwarded-for": "6.6.6.6, 1.2.3.4, 10.0.0.1" };
    expect(sanitize({ ...forged })["x-forwarded-for" as never]).toBe("10.0.0.9");
    expect(sanitize({ ...forged }, 1)["x-forwarded-for" as never]).toBe("10.0.0.1");
    expect(sanitize({ ...forged }, 2)["x-forwarded-for" as never]).toBe("1.2.3.4");
    expect(sanitize({}, 1)["x-forwarded-for" as never]).toBe("10.0.0.9");
    expect(sanitize({ "x-forwarded-proto": "https" }, 1)).toMatchObject({ "x-forwarded-proto": "https" });
  });

  it("keeps a valid request id and replaces any other", () => {
    expect(sanitize({ "x-request-id": "abcdef-123456" }).id).toBe("abcdef-123456");
    for (const invalid of ["short", "with space 12345", "x".repeat(65), "a\nb-12345678"])
      expect(sanitize({ "x-request-id": invalid }).id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("securityHeaders", () => {
  it("are set per request for pages that are not cached, and for every blog search", () => {
    for (const route of ROUTES) {
      const path = route.path.replace("{id}", "7").replace(/\{\w+\}/, "novel-writer");
      for (const address of [path, `/mobile${path}`, `/zh${path}`])
        expect(isRenderedPerRequest(address, ""), address).toBe(route.cached !== true);
    }
    expect(isRenderedPerRequest("/ja/blog", "?q=passes")).toBe(true);
    for (const address of ["/nowhere", "/api/v1/cart/list", "/robots.txt"])
      expect(isRenderedPerRequest(address, ""), address).toBe(false);
  });

  it("forbid caching of personal pages and of everything behind a session or a secret address", () => {
    for (const { cached, access, personal, secret } of ROUTES)
      if (cached) expect([access, personal, secret]).toEqual(["public", undefined, undefined]);
  });

  it("allow no inline script without a nonce, and forbid caching", () => {
    for (const path of ["/", "/cart", "/product/x", "/zh/mobile/login", "/nowhere", "/x.txt"]) {
      expect(getPolicy(path)).toContain("'nonce-bm9uY2U='");
      expect(getPolicy(path, { nonce: undefined })).toMatch(/script-src 'self';/);
    }
    expect(securityHeaders("/", context)["Cache-Control"]).toBe("private, no-store");
  });

  it("allow Stripe only on payment pages and only in Stripe mode", () => {
    for (const path of ["/checkout", "/zh/mobile/checkout", "/payment/success"]) {
      expect(getPolicy(path)).not.toContain("stripe");
      expect(getPolicy(path, { stripe: true })).toContain("frame-src https://js.stripe.com");
    }
    for (const path of ["/", "/cart", "/login", "/product/x", "/api/v1/cart/list"]) {
      expect(getPolicy(path, { stripe: true })).not.toContain("stripe");
      expect(getPolicy(path)).toContain("frame-ancestors 'none'");
    }
  });

  it("allow Google only on sign-in pages and only when configured", () => {
    const google = "https://accounts.google.com/gsi/client";
    for (const path of ["/login", "/ja/mobile/register"]) {
      expect(getPolicy(path)).not.toContain("google");
      const policy = getPolicy(path, { google, stripe: true });
      expect(policy).toContain("'strict-dynamic' https://accounts.google.com/gsi/client;");
      expect(policy).toContain("style-src 'self' 'unsafe-inline' https://accounts.google.com/gsi/style;");
      expect(policy).toContain("connect-src 'self' https://accounts.google.com/gsi/;");
      expect(policy).toContain("frame-src https://accounts.google.com/gsi/;");
      expect(policy).not.toContain("stripe");
    }
    // Guests sign in over public pages too.
    for (const path of ["/", "/product/novel-writer", "/ja/mobile/product/novel-writer"])
      expect(getPolicy(path, { google })).toContain(
        "'strict-dynamic' https://accounts.google.com/gsi/client;",
      );
    for (const path of ["/cart", "/checkout", "/api/v1/cart/list", "/nowhere"])
      expect(getPolicy(path, { google })).not.toContain("google");
  });

  it("allow eval in development only", () => {
    expect(contentPolicy({ stripe: true, dev: false })).not.toContain("unsafe-eval");
    expect(securityHeaders("/", context)).toMatchObject({
      "X-Content-Type-Options": "nosniff",
      Vary: "User-Agent",
    });
    expect(securityHeaders("/mobile", context).Vary).toBeUndefined();
    expect(securityHeaders("/", { ...context, https: true })["Strict-Transport-Security"]).toBeDefined();
  });
});

describe("readiness", () => {
  const env = { APP_MODE: "demo", PAYMENT_MODE: "sandbox", MAIL_MODE: "local" } as const;
  const current = async () => ({ applied: 5, needed: 5, name: "0001_x", clockShifted: false });
  const database = { down: false, full: false };
  const facts = { draining: false, database, schema: current, shop: "open", env } as const;

  it("requires the database and its schema, and ends while draining", async () => {
    expect((await readiness(facts)).ready).toBe(true);
    expect((await readiness({ ...facts, draining: true })).ready).toBe(false);
    const outdated = {
      ...facts,
      schema: async () => ({ applied: 4, needed: 5, name: "0001_x", clockShifted: false }),
    };
    expect(await readiness(outdated)).toMatchObject({ ready: false, checks: { schema: "behind" } });
    const shifted = { ...facts, schema: async () => ({ ...(await current()), clockShifted: true }) };
    expect((await readiness(shifted)).ready).toBe(true);
    const production = { ...shifted, env: { ...env, APP_MODE: "production" as const } };
    expect(await readiness(production)).toMatchObject({ ready: false, checks: { clock: "shifted" } });
    const unreachable = { ...facts, schema: () => Promise.reject(new Error("postgres://user:secret@host")) };
    const report = await readiness(unreachable);
    expect(report).toMatchObject({ ready: false, checks: { database: "unreachable", schema: "unknown" } });
    expect(JSON.stringify(report)).not.toContain("secret");
  });

  it("reads the schema until it is current, and not again", async () => {
    const applied = [4, 5, 0];
    const schema = untilCurrent(async () => ({ ...(await current()), applied: applied.shift() ?? 0 }));
    const states: string[] = [];
    for (let n = 0; n < 3; n++) states.push((await readiness({ ...facts, schema })).checks.schema);
    expect(states).toEqual(["behind", "current", "current"]);
    expect(applied).toEqual([0]);
  });

  it("keeps an instance with cached pages in service when configured, unless it drains", async () => {
    const down = { ...facts, stale: true, database: { down: true, full: false } };
    expect(await readiness(down)).toMatchObject({
      ready: true,
      stale: true,
      checks: { database: "unreachable" },
    });
    expect(await readiness({ ...down, stale: false })).toMatchObject({ ready: false });
    expect((await readiness({ ...down, draining: true })).ready).toBe(false);
    expect(await readiness({ ...facts, stale: true })).not.toHaveProperty("stale");
  });

  it("reports a closed shop and withheld codes, and stays ready", async () => {
    expect(await readiness(facts)).toMatchObject({ ready: true, checks: { shop: "open", journal: "off" } });
    const report = await readiness({ ...facts, shop: "closed", codesHeldBack: async () => true });
    expect(report).toMatchObject({ ready: true, checks: { shop: "closed", journal: "codes held back" } });
    const written = await readiness({ ...facts, codesHeldBack: async () => false });
    expect(written.checks.journal).toBe("written");
  });

  it("reports a database that is down without asking it, and one that is full", async () => {
    const schema = () => new Promise<never>(() => {});
    const down = await readiness({ ...facts, schema, database: { down: true, full: false } });
    expect(down).toMatchObject({ ready: false, checks: { database: "unreachable" } });
    const full = await readiness({ ...facts, database: { down: false, full: true } });
    expect(full).toMatchObject({ ready: false, checks: { database: "full", schema: "current" } });
  });
});
