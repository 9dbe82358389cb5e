import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GET as getMe } from "@/app/api/v1/merchant/me/route";
import { GET as getOpenApi } from "@/app/api/v1/merchant/openapi.json/route";
import { GET as getProfile } from "@/app/api/v1/merchant/profile/route";
import { closeDatabase } from "@/db/client";
import { createApiToken, createMerchant } from "@/db/factories/merchants";
import { CALL_EXAMPLES, curlExample, fetchExample } from "@/lib/merchants/developers/rules";
import type { Handler } from "@/lib/platform/api/declaration";

/** The calls of the examples. */
const HANDLERS: Record<string, Handler> = { "/merchant/me": getMe, "/merchant/profile": getProfile };

const run = promisify(execFile);
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer(async (incoming, outgoing) => {
    const headers = new Headers({ host: "localhost:3000", "x-forwarded-for": "203.0.113.9" });
    if (incoming.headers.authorization) headers.set("authorization", incoming.headers.authorization);
    const path = (incoming.url ?? "").replace("/api/v1", "");
    const response = await HANDLERS[path]!(new Request(`http://localhost:3000/api/v1${path}`, { headers }));
    outgoing.writeHead(response.status, { "content-type": "application/json" }).end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await closeDatabase();
});

const inShell = (command: string, token: string) => run("sh", ["-c", command], withToken(token));
const inNode = (script: string, token: string) =>
  run(process.execPath, ["--input-type=module", "--eval", script], withToken(token));
const withToken = (token: string) => ({ env: { ...process.env, PASSLANE_TOKEN: token } });

it.each(CALL_EXAMPLES)("the examples of $path on the developers page work as they stand", async (example) => {
  const merchant = await createMerchant();
  const token = (await createApiToken(merchant, { scopes: [example.scope] })).bearer.replace("Bearer ", "");
  const fromShell = JSON.parse((await inShell(curlExample(origin, example), token)).stdout);
  expect(fromShell).toMatchObject({ success: true, data: { handle: merchant.handle } });
  const fromNode = JSON.parse((await inNode(fetchExample(origin, example), token)).stdout);
  expect(fromNode).toEqual(fromShell.data);
  await expect(inShell(curlExample(origin, example), "plm_test_no_token")).rejects.toThrow();
  await expect(inNode(fetchExample(origin, example), "plm_test_no_token")).rejects.toThrow("not valid");
});

it("the document says how a token is sent, which scope a call needs, and how a session names its merchant", async () => {
  const response = await getOpenApi(new Request("http://localhost:3000/api/v1/merchant/openapi.json"));
  const { paths, components } = await response.json();
  expect(components.securitySchemes.merchantToken).toMatchObject({ type: "http", scheme: "bearer" });
  const { get: profile } = paths["/merchant/profile"];
  expect(profile.security[0]).toEqual({ merchantToken: [] });
  expect(profile.description).toContain("products:read");
  expect(profile.parameters).toContainEqual({ $ref: "#/components/parameters/PasslaneMerchant" });
  expect(components.parameters.PasslaneMerchant).toMatchObject({ in: "header", name: "Passlane-Merchant" });
  const { post: create } = paths["/merchant/tokens"];
  expect(create.security).not.toContainEqual({ merchantToken: [] });
  expect(create.description).toContain("Tokens cannot make this call.");
});
