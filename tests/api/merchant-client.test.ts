import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createApiToken, createMerchant, createSales } from "@/db/factories/merchants";
import { openApiDocuments } from "@/scripts/write-openapi";
import { generateClient, type OpenApiDocument } from "../setup/openapi-client";
import { sendToHandler } from "../setup/send-to-handler";

/*
 * What a developer of a merchant does: read the document at /api/v1/merchant/openapi.json, generate a client, compile it, and call the shop
 * with a token. Nothing of the client is from this repository but its generator.
 */
const ORIGIN = "http://localhost:3000";
const BASE = `${ORIGIN}/api/v1`;
const FOLDER = resolve(".data/merchant-client");

/** A program against the generated client; the compiler checks each field that it reads. */
const PROGRAM = `import { createClient } from "./client.ts";
type Send = (request: Request) => Promise<Response>;
const connect = (token: string, request: Send) => createClient(${JSON.stringify(BASE)}, token, request);

export async function readMerchant(token: string, request: Send) {
  const { success, data } = await connect(token, request).getMerchantMe();
  const { handle, name, permissions } = data;
  return { success, handle, name, mayRead: permissions.includes("profile.read") };
}

/** Previews a file of codes, imports it, and waits for its batch. */
export async function importKeys(token: string, request: Send, file: string) {
  const client = connect(token, request);
  const { data: preview } = await client.postMerchantKeysPreview({ body: file });
  const { data: started } = await client.postMerchantKeysImport({
    query: { sha256: preview.sha256, name: "codes.csv", source: "issued", statement: "Made by our server." },
    body: file,
  });
  for (;;) {
    const { data: batch } = await client.getMerchantKeysBatchesId({ path: { id: started.batch_id } });
    if (batch.state === "running") continue;
    const { state, counts, available, sold, refused } = batch;
    return { previewed: preview.counts, state, counts, available, sold, refused: refused.map(({ line }) => line) };
  }
}

/** Reads all sales of a plan, page by page, and the same as a file. */
export async function readSales(token: string, request: Send, plan: number) {
  const client = connect(token, request);
  const sales: { id: string; net: number; payable: string; buyer: string }[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await client.getMerchantSales({ query: { vip_id: plan, ...(cursor && { cursor }) } });
    for (const { sale_id, net, payable_on, buyer } of data.items)
      sales.push({ id: sale_id, net, payable: payable_on, buyer });
    cursor = data.next_cursor ?? undefined;
  } while (cursor);
  const file = await client.getMerchantSalesCsv({ query: { vip_id: plan } });
  return { sales, lines: String(file).trim().split("\\n").length };
}
`;

type Send = (request: Request) => Promise<Response>;
type Program = {
  readMerchant(token: string, request: Send): Promise<Record<string, unknown>>;
  importKeys(token: string, request: Send, file: string): Promise<Record<string, unknown>>;
  readSales(
    token: string,
    request: Send,
    plan: number,
  ): Promise<{ sales: { id: string; net: number; payable: string; buyer: string }[]; lines: number }>;
};
const loadProgram = async () => (await import(join(FOLDER, "program.ts"))) as Program;
const tokenOf = ({ bearer }: { bearer: string }) => bearer.replace(/^Bearer /, "");

beforeAll(async () => {
  const { merchants } = await openApiDocuments();
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "client.ts"), generateClient(merchants as OpenApiDocument));
  writeFileSync(join(FOLDER, "program.ts"), PROGRAM);
});
afterAll(closeDatabase);

const compile = (...files: string[]) =>
  execFileSync(
    "node_modules/.bin/tsc",
    [
      ...["--noEmit", "--strict", "--ignoreConfig", "--skipLibCheck", "--types", "", "--target", "es2023"],
      ...["--lib", "es2023,dom,dom.iterable", "--module", "esnext", "--moduleResolution", "bundler"],
      ...["--allowImportingTsExtensions", ...files.map((file) => join(FOLDER, file))],
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  );

it("the client is generated from the document, compiles, and calls with a token", async () => {
  expect(compile("client.ts", "program.ts")).toBe("");
  const merchant = await createMerchant({ name: "Alder Works" });
  const { readMerchant } = await loadProgram();
  expect(await readMerchant(tokenOf(await createApiToken(merchant)), sendToHandler)).toEqual({
    success: true,
    handle: merchant.handle,
    name: "Alder Works",
    mayRead: true,
  });
  await expect(readMerchant("plm_live_none_none", sendToHandler)).rejects.toThrow("401");
});

it("the client imports codes from a file and reads their sales", async () => {
  const merchant = await createMerchant();
  const product = await createProduct({ merchantId: merchant.id, plans: [{ type: "day" }] });
  const token = tokenOf(await createApiToken(merchant, { scopes: ["keys:write", "sales:read"] }));
  const { importKeys, readSales } = await loadProgram();
  const lines = Array.from({ length: 70 }, (_, i) => `${product.slug},day,CLIENT-${product.slug}-${i}`);
  const file = `product,plan,key\n${lines.join("\n")}\n${product.slug},decade,CLIENT-WRONG\n`;
  const counts = { new: 70, known: 0, refused: 1 };
  const imported = { previewed: counts, state: "done", counts, available: 70, sold: 0, refused: [72] };
  expect(await importKeys(token, sendToHandler, file)).toEqual(imported);
  const again = { new: 0, known: 70, refused: 1 };
  expect(await importKeys(token, sendToHandler, file)).toEqual({ ...imported, previewed: again });

  const sold = await createSales(await createUser(), product.plans[0]!.id, 60);
  const { sales, lines: written } = await readSales(token, sendToHandler, product.plans[0]!.id);
  expect(sales.map(({ id }) => id)).toEqual(sold);
  expect(sales[0]).toEqual({ id: sold[0], net: 8.5, payable: expect.any(String), buyer: "buyer-test" });
  expect(written).toBe(61);
  const other = tokenOf(await createApiToken(await createMerchant()));
  expect((await readSales(other, sendToHandler, product.plans[0]!.id)).sales).toEqual([]);
});

it("the client does not compile with a field that the document does not have", () => {
  writeFileSync(join(FOLDER, "wrong.ts"), PROGRAM.replace("{ handle, name,", "{ handle, nam,"));
  expect(() => compile("client.ts", "wrong.ts")).toThrow();
});
