import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GET as getOpenApi } from "@/app/api/v1/merchant/openapi.json/route";
import { closeDatabase } from "@/db/client";
import { createApiToken, createMerchant } from "@/db/factories/merchants";
import { apiRoutes } from "@/scripts/write-openapi";
import { generateClient, type OpenApiDocument } from "../setup/openapi-client";

/*
 * What a developer of a merchant does: read /api/v1/merchant/openapi.json, generate a client, compile it, and call the shop
 * with a token. Nothing of the client is from this repository but its generator.
 */
const ORIGIN = "http://localhost:3000";
const BASE = `${ORIGIN}/api/v1`;
const FOLDER = resolve(".data/merchant-client");

/** A program against the generated client; the compiler checks each field that it reads. */
const PROGRAM = `import { createClient } from "./client.ts";
export async function run(token: string, request: (request: Request) => Promise<Response>) {
  const client = createClient(${JSON.stringify(BASE)}, token, request);
  const { success, data } = await client.getMerchantMe();
  const { handle, name, permissions } = data;
  return { success, handle, name, mayRead: permissions.includes("profile.read") };
}
`;

type Program = {
  run(token: string, request: (request: Request) => Promise<Response>): Promise<Record<string, unknown>>;
};

beforeAll(async () => {
  const answer = await getOpenApi(new Request(`${BASE}/merchant/openapi.json`), {
    params: Promise.resolve({}),
  });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "client.ts"), generateClient((await answer.json()) as OpenApiDocument));
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

/** Sends a request to the handler of its path, as the server does. */
async function sendToHandler(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const { path, method, handler } of await apiRoutes()) {
    const pattern = new RegExp(`^/api/v1${path.replace(/\[(\w+)\]/g, "(?<$1>[^/]+)")}$`);
    const match = method === request.method && !path.includes("[...") && pattern.exec(pathname);
    if (!match) continue;
    request.headers.set("host", "localhost:3000");
    request.headers.set("x-forwarded-for", "198.51.100.44");
    return handler(request, { params: Promise.resolve({ ...match.groups }) });
  }
  throw new Error(`no call ${request.method} ${pathname}`);
}

it("is generated from the document, compiles, and calls with a token", async () => {
  expect(compile("client.ts", "program.ts")).toBe("");
  const merchant = await createMerchant({ name: "Alder Works" });
  const { bearer } = await createApiToken(merchant);
  const { run } = (await import(join(FOLDER, "program.ts"))) as Program;
  expect(await run(bearer.replace(/^Bearer /, ""), sendToHandler)).toEqual({
    success: true,
    handle: merchant.handle,
    name: "Alder Works",
    mayRead: true,
  });
  await expect(run("plm_live_none_none", sendToHandler)).rejects.toThrow("401");
});

it("does not compile with a field that the document does not have", () => {
  writeFileSync(join(FOLDER, "wrong.ts"), PROGRAM.replace("{ handle, name,", "{ handle, nam,"));
  expect(() => compile("client.ts", "wrong.ts")).toThrow();
});
