import { existsSync, readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  inputExample,
  listCallErrors,
  openApiDocument,
  type Route,
  resultExample,
} from "@/lib/platform/api/openapi";
import { ERRORS } from "@/lib/platform/errors";
import {
  apiRoutes,
  CLIENT_TYPES,
  DOCUMENT,
  METHOD_TABLE,
  renderClientTypes,
  renderMethodTable,
  renderOpenApi,
} from "@/scripts/write-openapi";
import { expectNone } from "./tree";

/** The first line at which two texts part, for a message one can read. */
function drift(written: string, fresh: string, file = "openapi.json"): string | undefined {
  if (written === fresh) return undefined;
  const [old, now] = [written.split("\n"), fresh.split("\n")];
  const line = now.findIndex((text, i) => text !== old[i]);
  return `${file} line ${line + 1} says “${old[line]?.trim()}”, the routes say “${now[line]?.trim()}”: npx tsx scripts/write-openapi.ts`;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads into a document
type Document = any;

/** Where a document refers to something it does not expectNone. */
function danglingRefs(document: Document): string[] {
  const found: string[] = [];
  JSON.stringify(document, (key, value) => {
    if (key !== "$ref") return value;
    const steps = String(value).replace(/^#\//, "").split("/");
    if (steps.reduce((at, step) => at?.[step], document) === undefined) found.push(String(value));
    return value;
  });
  return found;
}

/** Examples that the call itself would refuse, or would not answer. */
function wrongExamples(name: string, { body, result }: Route["handler"]["declaration"]): string[] {
  const problem = (what: string, schema: z.ZodType, example: unknown) => {
    const parsed = schema.safeParse(example);
    if (parsed.success) return [];
    const where = parsed.error.issues[0]?.path.join(".");
    return [
      `${name}: the ${what}'s example has a wrong ${where}; give that field .meta({ example }) (${parsed.error.issues[0]?.message})`,
    ];
  };
  return [
    ...(body ? problem("body", body, inputExample(body)) : []),
    ...(result instanceof z.ZodType ? problem("answer", result, resultExample(result)) : []),
  ];
}

describe("the OpenAPI document", () => {
  let routes: Route[];
  let document: Document;
  beforeAll(async () => {
    routes = await apiRoutes();
    document = openApiDocument(routes, "Passlane");
  }, 60_000);

  it("is what the route files say, to the byte", async () => {
    const written = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, "utf8") : "";
    expect(drift(written, await renderOpenApi())).toBeUndefined();
  }, 60_000);

  it("and so are the types of the browser's client", async () => {
    const written = existsSync(CLIENT_TYPES) ? readFileSync(CLIENT_TYPES, "utf8") : "";
    expect(drift(written, await renderClientTypes(), "lib/platform/api/calls.ts")).toBeUndefined();
  }, 60_000);

  it("and so is the table of methods", async () => {
    const written = existsSync(METHOD_TABLE) ? readFileSync(METHOD_TABLE, "utf8") : "";
    expect(drift(written, await renderMethodTable(), "lib/platform/api/methods.ts")).toBeUndefined();
  }, 60_000);

  it("a drift does not pass", () => {
    expect(drift("a\nb\n", "a\nc\n")).toMatch(/line 2 says “b”, the routes say “c”/);
    expect(drift("", "a\n")).toMatch(/line 1/);
  });

  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    expect(danglingRefs(document)).toEqual([]);
    const ids = Object.values<Document>(document.paths).flatMap((path) =>
      Object.values<Document>(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("a document with a flaw does not pass", async () => {
    const broken = structuredClone(document);
    broken.paths["/cart/add"].post.parameters[0] = { name: "x", in: "nowhere" };
    expect((await new Validator().validate(broken)).valid).toBe(false);
    expect(danglingRefs({ a: { $ref: "#/components/x" } })).toEqual(["#/components/x"]);
  });

  it("gives examples that the calls accept and answer", () => {
    const named = routes.map(({ path, method, handler }) => ({
      name: `${method} ${path}`,
      declaration: handler.declaration,
    }));
    expectNone(
      "examples",
      named.flatMap(({ name, declaration }) => wrongExamples(name, declaration)),
    );
    const result = z.object({ day: z.string().regex(/^Q[1-4]$/) });
    expect(wrongExamples("a", { summary: "", access: "public", errors: [], result })[0]).toMatch(
      /the answer's example has a wrong day/,
    );
  });

  it("lists every refusal of every call with its code and words", () => {
    for (const { path, method, handler } of routes.filter((route) => !route.handler.declaration.hidden)) {
      const { responses } = document.paths[path.replace(/\[(\w+)\]/g, "{$1}")][method.toLowerCase()];
      for (const name of listCallErrors(handler.declaration, method !== "GET")) {
        const { $ref } = responses[ERRORS[name].status];
        const answer = document.components.responses[$ref.split("/").at(-1)];
        expect(answer.content["application/json"].examples[name], `${method} ${path} ${name}`).toBeDefined();
        const { value } = document.components.examples[name];
        expect(value).toMatchObject({ code: ERRORS[name].code, success: false, data: null });
        expect(value.message).not.toMatch(/[{}]|^errors\./);
      }
    }
  });

  it("shares the answers of public reads only", () => {
    const sharing = routes.filter(({ handler }) => handler.declaration.coalesced);
    expect(sharing.length).toBeGreaterThan(0);
    for (const { path, method, handler } of sharing)
      expect([method, handler.declaration.access], path).toEqual(["GET", "public"]);
  });
});
