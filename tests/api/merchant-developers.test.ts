import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createApiToken, createMerchant, createMerchantRecords } from "@/db/factories/merchants";
import { findExamplePlan } from "@/lib/merchants/developers/find-example-plan";
import { CALL_EXAMPLES, type CallExample, curlExample, fetchExample } from "@/lib/merchants/developers/rules";
import { openApiDocuments } from "@/scripts/write-openapi";
import { rounds } from "../setup/rounds";
import { sendToHandler } from "../setup/send-to-handler";

const run = promisify(execFile);
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer(async (incoming, outgoing) => {
    const { authorization, "content-type": type } = incoming.headers;
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const response = await sendToHandler(
      new Request(`http://localhost:3000${incoming.url}`, {
        method: incoming.method ?? "GET",
        headers: { ...(authorization && { authorization }), ...(type && { "content-type": type }) },
        ...(parts.length > 0 && { body: Buffer.concat(parts) }),
      }),
    );
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

/** What each example answers. */
const answersOf = (merchant: { handle: string }, productId: number): Record<CallExample["name"], object> => ({
  me: { handle: merchant.handle },
  profile: { handle: merchant.handle },
  products: { items: [{ product_id: productId }] },
  keys: { state: "done", lines: 2, available: 2 },
  sales: { items: [{ product_id: productId, units: 1 }], totals: { sales: 1 } },
  money: { currency: "usd", balance: 0 },
  requests: { items: [{ kind: "refund", product_id: productId }] },
});

const examples = CALL_EXAMPLES.filter((_, index) => index % rounds(1, 3) === 0);
it.each(examples)("the examples of $path on the developers page work as they stand", async (example) => {
  const merchant = await createMerchant();
  const product = await createProduct({ merchantId: merchant.id, plans: [{ keys: 1 }] });
  const planId = await findExamplePlan({ merchant });
  expect(planId).toBe(product.plans[0]!.id);
  await createMerchantRecords(await createUser(), planId);
  const token = (await createApiToken(merchant, { scopes: [example.scope] })).bearer.replace("Bearer ", "");
  const [curl, script] = [curlExample(origin, example, planId), fetchExample(origin, example, planId)];
  const expected = answersOf(merchant, product.id)[example.name];
  const fromShell = JSON.parse((await inShell(curl, token)).stdout);
  expect(fromShell).toMatchObject({ success: true, data: expected });
  expect(JSON.parse((await inNode(script, token)).stdout)).toMatchObject(expected);
});

it("the examples fail with a message when the token is not valid", async () => {
  const example = CALL_EXAMPLES[0]!;
  await expect(inShell(curlExample(origin, example, 1), "plm_test_no_token")).rejects.toThrow();
  await expect(inNode(fetchExample(origin, example, 1), "plm_test_no_token")).rejects.toThrow("not valid");
});

it("the document says how a token is sent, which scope a call needs, and how a session names its merchant", async () => {
  const session = [{ bearer: [] }, { cookie: [] }];
  expect((await openApiDocuments()).merchants).toMatchObject({
    paths: {
      "/merchant/profile": {
        get: {
          security: [{ merchantToken: [] }, ...session],
          description: expect.stringContaining("products:read"),
          parameters: expect.arrayContaining([{ $ref: "#/components/parameters/PasslaneMerchant" }]),
        },
      },
      "/merchant/tokens": {
        post: { security: session, description: expect.stringContaining("Tokens cannot make this call.") },
      },
    },
    components: {
      securitySchemes: { merchantToken: { type: "http", scheme: "bearer" } },
      parameters: { PasslaneMerchant: { in: "header", name: "Passlane-Merchant" } },
    },
  });
});
