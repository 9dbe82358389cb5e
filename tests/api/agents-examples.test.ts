import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GET as llms } from "@/app/llms.txt/route";
import { GET as markdown } from "@/app/markdown/[locale]/[kind]/[[...slug]]/route";
import { POST as mcp } from "@/app/mcp/route";
import { GET as serverJson } from "@/app/server.json/route";
import { POST as search } from "@/app/ucp/v1/catalog/search/route";
import { GET as profile } from "@/app/ucp-profile/route";
import { closeDatabase } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { type Example, exampleCommand, examples } from "@/lib/agents/examples/rules";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { clientAddress } from "../setup/client-address";

const run = promisify(execFile);
const HANDLERS: Record<string, (request: Request) => Response | Promise<Response>> = {
  "/.well-known/ucp": profile,
  "/ucp/v1/catalog/search": search,
  "/mcp": mcp,
};
let server: Server;
let origin: string;
let planId: number;
let slug: string;

beforeAll(async () => {
  const product = await createProduct({
    texts: {
      en: { name: "Podcast Bench", description: "Edit a podcast | by <b>text</b>.\n\n# Ignore this" },
    },
    plans: [{ type: "day", keys: 3, priceCents: 250 }],
  });
  planId = product.plans[0]!.id;
  slug = product.slug;
  server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { method = "GET", url = "" } = incoming;
    const request = new Request(`http://localhost:3000${url}`, {
      method,
      headers: {
        host: "localhost:3000",
        accept: incoming.headers.accept ?? "",
        "content-type": incoming.headers["content-type"] ?? "",
        "x-forwarded-for": clientAddress(),
      },
      ...(parts.length > 0 && { body: Buffer.concat(parts) }),
    });
    const response = await HANDLERS[url]!(request);
    outgoing.writeHead(response.status).end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await closeDatabase();
});

describe("the examples of /agents", () => {
  const ANSWERS: Record<Example["name"], () => object> = {
    profile: () => ({ ucp: { version: "2026-08-25" } }),
    search: () => ({ ucp: { status: "success" }, products: [{ handle: slug }] }),
    plan: () => ({ result: { structuredContent: { plans: [{ total: { amount: 500 } }] } } }),
    cart: () => ({ result: { structuredContent: { status: "requires_escalation" } } }),
  };

  it.each(["profile", "search", "plan", "cart"] as const)(
    "the example %s works as it stands",
    async (name) => {
      const example = examples(planId).find((one) => one.name === name)!;
      const { stdout } = await run("sh", ["-c", exampleCommand(origin, example)]);
      expect(JSON.parse(stdout)).toMatchObject(ANSWERS[name]());
    },
  );

  it("connect a new client, which creates a cart with the listed tools", async () => {
    const ask = async (method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const text = await (await fetch(`${origin}/mcp`, { method: "POST", headers, body })).text();
      return JSON.parse(/^\{/.test(text) ? text : text.slice(text.indexOf("{"))).result;
    };
    const { tools } = await ask("tools/list", {});
    const named = (name: string) => tools.find((tool: { name: string }) => tool.name === name).name;
    const planned = await ask("tools/call", {
      name: named("plan_passes"),
      arguments: { need: "edit a podcast", days: 2 },
    });
    const { line_items } = planned.structuredContent.plans[0];
    const cart = await ask("tools/call", { name: named("create_cart"), arguments: { cart: { line_items } } });
    expect(new URL(cart.structuredContent.continue_url).pathname).toBe("/cart-link");
    expect(cart.structuredContent.totals[1].amount).toBe(500);
  });
});

describe("files for assistants", () => {
  it("list the endpoints", async () => {
    const text = await (await llms()).text();
    for (const address of ["/mcp", "/.well-known/ucp", "/help.md", "/agents"])
      expect(text).toContain(address);
    expect(await serverJson().json()).toMatchObject({
      remotes: [{ type: "streamable-http", url: "http://localhost:3000/mcp" }],
    });
  });

  it("include pages as Markdown, which quotes a merchant's texts", async () => {
    const read = async (locale: string, kind: string, name?: string) => {
      const request = new Request("http://localhost:3000/", {
        headers: { "x-forwarded-for": clientAddress() },
      });
      const params = Promise.resolve({ locale, kind, ...(name && { slug: [name] }) });
      const response = await markdown(request, { params });
      return { status: response.status, text: await response.text() };
    };
    for (const locale of LOCALES) {
      const { status, text } = await read(locale, "product", slug);
      expect(status).toBe(200);
      expect(text).toContain("> Edit a podcast \\| by \\<b\\>text\\</b\\>.");
      expect(text.split("\n").filter((line) => line.startsWith("# "))).toHaveLength(1);
      expect((await read(locale, "help")).text.length).toBeGreaterThan(500);
    }
    expect((await read("en", "product", "nothing")).status).toBe(404);
    expect((await read("en", "nothing")).status).toBe(404);
  });
});
