import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createPlainServer, type RequestListener, request, type Server } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { env } from "@/lib/platform/env";
import { createCertificate } from "../setup/certificate";
import { clientAddress } from "../setup/client-address";
import { needs } from "../setup/needs";
import { startTestServer, type TestServer } from "../setup/shop";

// Clients of others, of which two need Node 22: they are installed outside of the repository, where the registry can be reached.
const FOLDER = process.env.AGENT_CLIENTS ?? join(homedir(), ".cache", "passlane-agents");
const PACKAGES = [
  "node@22.23.3",
  "@modelcontextprotocol/client@2.4.0",
  "@modelcontextprotocol/conformance@0.2.0-alpha.12",
  "@shopify/ucp-cli@0.9.0",
];
const NODE = join(FOLDER, "node_modules/node/bin/node");
const bin = (name: string) => join(FOLDER, "node_modules/.bin", name);

/** False where npm cannot install the clients. */
function install(): boolean {
  const isThere = () =>
    [NODE, join(FOLDER, "node_modules/@modelcontextprotocol/client"), bin("conformance"), bin("ucp")].every(
      (path) => existsSync(path),
    );
  if (isThere()) return true;
  try {
    mkdirSync(FOLDER, { recursive: true });
    if (!existsSync(join(FOLDER, "package.json")))
      writeFileSync(join(FOLDER, "package.json"), '{"private":true}');
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--fetch-retries=0", ...PACKAGES], {
      cwd: FOLDER,
      stdio: "ignore",
      timeout: 300_000,
    });
  } catch {}
  return isThere();
}

const clients = needs(
  install(),
  `Node 22 or a client of agents, which npm could not install into ${FOLDER},`,
);
const run = promisify(execFile);

/** What scenarios of the suite need and the shop does not offer. */
const NOT_OFFERED: Record<string, readonly string[]> = {
  "tools made for the suite, such as test_simple_text": [
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-with-logging",
    "json-schema-2020-12",
  ],
  "tools that ask the client back (sampling, elicitation, roots, further input)": [
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-request-state",
    "input-required-result-multiple-input-requests",
    "input-required-result-multi-round",
    "input-required-result-non-tool-request",
    "input-required-result-result-type",
    "input-required-result-tampered-state",
    "input-required-result-capability-check",
  ],
  prompts: [
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ],
  resources: [
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
  ],
  "completion and levels of logs": ["completion-complete", "logging-set-level"],
  "tasks, an extension": [
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-required-task-error",
    "tasks-mrtr-composition",
  ],
  "parameters in headers": ["http-custom-header-server-validation"],
};
/** Checks of the same kinds in scenarios that apply. */
const CHECKS_NOT_OFFERED = [
  "sep-2549-prompts-list-caching-hints",
  "sep-2549-resources-list-caching-hints",
  "sep-2549-resources-templates-list-caching-hints",
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
];
const notOffered = Object.values(NOT_OFFERED).flat();
/** How a failure says that something is missing, and nothing else. */
const SAYS_MISSING =
  /not found|Not testable|MUST be advertised|-32601|Expected InputRequiredResult|Prerequisite failed|unavailable|-32602; spec requires -32021/i;

type Check = { id: string; status: string; errorMessage?: string };

describe("clients of others", () => {
  let shop: TestServer;
  let secure: Server;
  let plain: Server;
  let folder: string;
  let slug: string;
  let planId: number;
  beforeAll(async () => {
    const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = env();
    const product = await createProduct({
      texts: { en: { name: "Podcast Bench", tagline: "Edit a podcast by its text." } },
      plans: [{ type: "day", keys: 5 }],
    });
    slug = product.slug;
    planId = product.plans[0]!.id;
    folder = mkdtempSync(join(tmpdir(), "agents-"));
    const relay: RequestListener = (incoming, outgoing) => forward(shop.inside, incoming, outgoing);
    plain = createPlainServer(relay);
    // Without TLS Shopify's command asks nobody.
    secure = createServer(createCertificate(folder, "localhost"), relay);
    await Promise.all([plain, secure].map((server) => new Promise<void>((done) => server.listen(0, done))));
    const variables = { APP_URL: `https://localhost:${portOf(secure)}` };
    shop = await startTestServer({ databaseUrl, dataDir, variables, log: "test-results/agents-clients.log" });
  }, 300_000);
  afterAll(async () => {
    for (const server of [plain, secure]) {
      server?.closeAllConnections();
      server?.close();
    }
    await shop?.stop();
    await closeDatabase();
  });

  it.each(["2026-07-28", "2025-11-25"])(
    "the conformance suite of MCP %s passes in every scenario that needs what the shop offers",
    { ...clients, timeout: 300_000 },
    async (version) => {
      const output = join(folder, version);
      const args = ["server", "--url", `http://localhost:${portOf(plain)}/mcp`, "--requirements", version];
      await run(NODE, [bin("conformance"), ...args, "-o", output]).catch(() => undefined);
      const scenarios = new Map<string, Check[]>();
      for (const entry of readdirSync(output)) {
        const name = entry.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
        scenarios.set(name, JSON.parse(readFileSync(join(output, entry, "checks.json"), "utf8")));
      }
      const passed: string[] = [];
      for (const [name, checks] of scenarios) {
        const failures = checks.filter(({ status }) => status === "FAILURE");
        if (notOffered.includes(name)) {
          expect(failures, `${name} passes now: take it off the list`).not.toEqual([]);
          for (const { errorMessage } of failures) expect(errorMessage, name).toMatch(SAYS_MISSING);
        } else {
          expect(
            failures.filter(({ id }) => !CHECKS_NOT_OFFERED.includes(id)),
            name,
          ).toEqual([]);
          passed.push(name);
        }
      }
      const all = [...scenarios.values()].flat();
      const count = (wanted: string) => all.filter(({ status }) => status === wanted).length;
      console.log(
        `MCP ${version}: ${passed.length} scenarios pass (${passed.join(", ")}); ${count("SUCCESS")} checks pass, ${count("FAILURE")} need what is not offered`,
      );
      expect(passed).toEqual(expect.arrayContaining(["tools-list", "dns-rebinding-protection"]));
    },
  );

  it.each(["auto", "legacy"])(
    "the official client, negotiating in mode %s, comes from the address to the page of its cart",
    { ...clients, timeout: 120_000 },
    async (mode) => {
      const address = join(FOLDER, "node_modules/@modelcontextprotocol/client/dist/index.mjs");
      const { Client, StreamableHTTPClientTransport } = await import(/* @vite-ignore */ address);
      const client = new Client({ name: "Official client", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`http://localhost:${portOf(plain)}/mcp`)),
      );
      expect(client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
      const call = async (name: string, args: object) =>
        (await client.callTool({ name, arguments: args })).structuredContent;
      const { plans } = await call("plan_passes", { need: "edit a podcast this weekend", days: 2 });
      const cart = await call("create_cart", { cart: { line_items: plans[0].line_items } });
      await client.close();
      const link = new URL(cart.continue_url);
      const page = await fetch(`${shop.inside}${link.pathname}${link.search}`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain("Podcast Bench");
    },
  );

  it("Shopify's command discovers, searches, gets a product and builds a cart", {
    ...clients,
    timeout: 120_000,
  }, async () => {
    const business = `https://localhost:${portOf(secure)}`;
    const variables = { ...process.env, HOME: folder, NODE_EXTRA_CA_CERTS: join(folder, "cert.pem") };
    const ucp = async (...args: string[]) => {
      const command = [bin("ucp"), ...args, "--business", business, "--format", "json"];
      return JSON.parse((await run(NODE, command, { env: variables })).stdout);
    };
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
    const link = new URL(cart.result.continue_url);
    const page = await fetch(`${shop.inside}${link.pathname}${link.search}`);
    expect(await page.text()).toContain("Podcast Bench");
  });
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Passes a request on as a client at another address, so that the limits of one address do not end a suite. */
const forward = (target: string, ...[incoming, outgoing]: Parameters<RequestListener>) => {
  const headers = { ...incoming.headers, "x-forwarded-for": clientAddress() };
  const call = request(`${target}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  call.on("error", () => outgoing.destroy());
  outgoing.on("close", () => call.destroy());
  incoming.pipe(call);
};
