import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { env } from "@/lib/platform/env";
import { needs } from "../setup/needs";
import { startTestServer, type TestServer } from "../setup/shop";

// Two clients of others, which need Node 22: they are installed outside of the repository, where the registry can be reached.
const FOLDER = process.env.AGENT_CLIENTS ?? join(homedir(), ".cache", "passlane-agents");
const PACKAGES = [
  "node@22.23.3",
  "@modelcontextprotocol/conformance@0.2.0-alpha.12",
  "@shopify/ucp-cli@0.9.0",
];
const NODE = join(FOLDER, "node_modules/node/bin/node");
const bin = (name: string) => join(FOLDER, "node_modules/.bin", name);

function install(): boolean {
  if (existsSync(NODE) && existsSync(bin("ucp"))) return true;
  try {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, "package.json"), '{"private":true}');
    execFileSync("npm", ["install", "--no-audit", "--no-fund", ...PACKAGES], {
      cwd: FOLDER,
      stdio: "ignore",
      timeout: 300_000,
    });
    return existsSync(NODE);
  } catch {
    return false;
  }
}

const clients = needs(install(), "Node 22 with the clients of agents (AGENT_CLIENTS)");
const run = promisify(execFile);

/** Scenarios of the suite that need none of its diagnostic tools, and no prompts or resources, which the shop does not offer. */
const SCENARIOS = {
  "2026-07-28": [
    "server-stateless",
    "tools-list",
    "caching",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
    "http-header-validation",
  ],
  "2025-11-25": ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
};
const NOT_OFFERED =
  /^Not testable: server does not list the diagnostic tool|(?:prompts|resources)\/[a-z/]+ returned JSON-RPC error -32601/;

describe("clients of others", () => {
  let server: TestServer;
  let secure: Server;
  let folder: string;
  let slug: string;
  let planId: number;
  beforeAll(async () => {
    const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = env();
    const product = await createProduct({ texts: { en: { name: "Podcast Bench" } }, plans: [{ keys: 5 }] });
    slug = product.slug;
    planId = product.plans[0]!.id;
    server = await startTestServer({ databaseUrl, dataDir, log: "test-results/agents-clients.log" });
    folder = mkdtempSync(join(tmpdir(), "agents-"));
    secure = await startSecureFront(server.address, folder);
  }, 300_000);
  afterAll(async () => {
    secure?.close();
    await server?.stop();
    await closeDatabase();
  });

  const cases = Object.entries(SCENARIOS).flatMap(([version, names]) =>
    names.map((name) => [version, name] as const),
  );
  it.each(cases)(
    "the conformance suite of MCP %s passes %s",
    { ...clients, timeout: 120_000 },
    async (version, name) => {
      const output = join(folder, `${version}-${name}`);
      const args = [
        "server",
        "--url",
        `${server.address}/mcp`,
        "--scenario",
        name,
        "--spec-version",
        version,
        "-o",
        output,
      ];
      await run(NODE, [bin("conformance"), ...args]).catch(() => undefined);
      const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter(
        (file) => file.name === "checks.json",
      );
      const checks = files.flatMap((file) =>
        JSON.parse(readFileSync(join(file.parentPath, file.name), "utf8")),
      );
      const failed = checks
        .filter(({ status }) => status === "FAILURE")
        .map(({ errorMessage }) => String(errorMessage));
      expect(failed.filter((message) => !NOT_OFFERED.test(message))).toEqual([]);
      expect(checks.some(({ status }) => status === "SUCCESS")).toBe(true);
    },
  );

  it("Shopify's command discovers, searches, gets a product and builds a cart", {
    ...clients,
    timeout: 120_000,
  }, async () => {
    const business = `https://localhost:${(secure.address() as AddressInfo).port}`;
    const variables = { ...process.env, HOME: folder, NODE_EXTRA_CA_CERTS: join(folder, "cert.pem") };
    const ucp = async (...args: string[]) =>
      JSON.parse(
        (
          await run(NODE, [bin("ucp"), ...args, "--business", business, "--format", "json"], {
            env: variables,
          })
        ).stdout,
      );
    expect((await ucp("discover")).result.profile.ucp.version).toBe("2026-08-25");
    const found = await ucp("catalog", "search", "--set", "/query=podcast");
    expect(found.result.products.map(({ handle }: { handle: string }) => handle)).toContain(slug);
    expect((await ucp("catalog", "get_product", slug)).result.product.handle).toBe(slug);
    const line_items = [{ item: { id: String(planId) }, quantity: 2 }];
    const cart = await ucp("cart", "create", "--input", JSON.stringify({ line_items }));
    expect(cart.result).toMatchObject({
      status: "requires_escalation",
      totals: [{ amount: 2000 }, { amount: 2000 }],
    });
  });
});

/** TLS before the shop, because the command takes nothing else; the shop's address in answers becomes that of the front. */
async function startSecureFront(target: string, folder: string): Promise<Server> {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", cert, ...subject],
    { stdio: "ignore" },
  );
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    async ({ method, url, headers }, response) => {
      const { host: _, connection: _connection, "content-length": _length, ...kept } = headers;
      const parts: Buffer[] = [];
      for await (const part of response.req) parts.push(part as Buffer);
      const answer = await fetch(`${target}${url}`, {
        method: method ?? "GET",
        headers: { ...(kept as Record<string, string>), "accept-encoding": "identity" },
        ...(parts.length > 0 && { body: Buffer.concat(parts) }),
        redirect: "manual",
      });
      const own = `https://localhost:${(server.address() as AddressInfo).port}`;
      const type = answer.headers.get("content-type") ?? "application/json";
      response
        .writeHead(answer.status, { "content-type": type })
        .end((await answer.text()).replaceAll(target, own));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return server;
}
