import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isFactorAccess, listCallErrors } from "@/lib/platform/api/declaration";
import { inputExample, openApiDocument, type Route, resultExample } from "@/lib/platform/api/openapi";
import { ERRORS } from "@/lib/platform/errors";
import { apiRoutes, OPERATIONS_FILE, openApiDocuments, renderOperations } from "@/scripts/write-openapi";
import { expectNone } from "./repository";

/** Describes the first different line of two texts; undefined when they are equal. */
function firstDifference(committed: string, generated: string): string | undefined {
  if (committed === generated) return undefined;
  const [committedLines, now] = [committed.split("\n"), generated.split("\n")];
  const line = now.findIndex((text, i) => text !== committedLines[i]);
  return `lib/platform/api/operations.ts line ${line + 1} is “${committedLines[line]?.trim()}”, generated is “${now[line]?.trim()}”: npx tsx scripts/write-openapi.ts`;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of the document
type Document = any;

/** References without a target in the document. */
function danglingRefs(document: Document): string[] {
  const missing: string[] = [];
  JSON.stringify(document, (key, value) => {
    if (key !== "$ref") return value;
    const steps = String(value).replace(/^#\//, "").split("/");
    if (steps.reduce((node, step) => node?.[step], document) === undefined) missing.push(String(value));
    return value;
  });
  return missing;
}

/** Examples that do not match the schema of the body or the result. */
function wrongExamples(name: string, { body, result }: Route["handler"]["declaration"]): string[] {
  const problem = (part: string, schema: z.ZodType, example: unknown) => {
    const parsed = schema.safeParse(example);
    if (parsed.success) return [];
    const path = parsed.error.issues[0]?.path.join(".");
    return [
      `${name}: the ${part}'s example has a wrong ${path}; give that field .meta({ example }) (${parsed.error.issues[0]?.message})`,
    ];
  };
  return [
    ...(body ? problem("body", body, inputExample(body)) : []),
    ...(result instanceof z.ZodType ? problem("result", result, resultExample(result)) : []),
  ];
}

describe("OpenAPI document", () => {
  let routes: Route[];
  let document: Document;
  beforeAll(async () => {
    routes = await apiRoutes();
    document = openApiDocument(routes, "Passlane");
  });

  it("lists the operations that are declared", async () => {
    const committed = readFileSync(OPERATIONS_FILE, "utf8");
    expect(firstDifference(committed, await renderOperations())).toBeUndefined();
  });

  it("has each call in one document only, except those that take the second factor of staff and merchants", async () => {
    const documents = Object.values(await openApiDocuments()) as Document[];
    const calls = documents.flatMap(({ paths }) => Object.keys(paths));
    const repeated = calls.filter((path, index) => calls.indexOf(path) !== index);
    const ofFactors = routes.filter(({ handler }) => isFactorAccess(handler.declaration.access));
    expect(new Set(repeated)).toEqual(new Set(ofFactors.map(({ path }) => path)));
    expect(documents.map(({ paths }) => Object.keys(paths).length > 10)).toEqual([true, true, true]);
  });

  it("is compared by a check that reports the first different line", () => {
    expect(firstDifference("a\nb\n", "a\nc\n")).toMatch(/line 2 is “b”, generated is “c”/);
    expect(firstDifference("", "a\n")).toMatch(/line 1/);
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

  it("is validated by checks that report an invalid document", async () => {
    const invalid = structuredClone(document);
    invalid.paths["/cart/add"].post.parameters[0] = { name: "x", in: "nowhere" };
    expect((await new Validator().validate(invalid)).valid).toBe(false);
    expect(danglingRefs({ a: { $ref: "#/components/x" } })).toEqual(["#/components/x"]);
  });

  it("has examples that match the schemas", () => {
    const calls = routes.map(({ path, method, handler }) => ({
      name: `${method} ${path}`,
      declaration: handler.declaration,
    }));
    expectNone(
      "examples",
      calls.flatMap(({ name, declaration }) => wrongExamples(name, declaration)),
    );
    const result = z.object({ day: z.string().regex(/^Q[1-4]$/) });
    expect(wrongExamples("a", { summary: "", access: "public", errors: [], result })[0]).toMatch(
      /the result's example has a wrong day/,
    );
  });

  it("lists every error of every call with its code and message", () => {
    for (const { path, method, handler } of routes.filter((route) => !route.handler.declaration.hidden)) {
      const { responses } = document.paths[path.replace(/\[(\w+)\]/g, "{$1}")][method.toLowerCase()];
      for (const name of listCallErrors(handler.declaration, method !== "GET")) {
        const { $ref } = responses[ERRORS[name].status];
        const response = document.components.responses[$ref.split("/").at(-1)];
        expect(
          response.content["application/json"].examples[name],
          `${method} ${path} ${name}`,
        ).toBeDefined();
        const { value } = document.components.examples[name];
        expect(value).toMatchObject({ code: ERRORS[name].code, success: false, data: null });
        expect(value.message).not.toMatch(/[{}]|^errors\./);
      }
    }
  });

  it("marks only public reads as coalesced", () => {
    const coalesced = routes.filter(({ handler }) => handler.declaration.coalesced);
    expect(coalesced.length).toBeGreaterThan(0);
    for (const { path, method, handler } of coalesced)
      expect([method, handler.declaration.access], path).toEqual(["GET", "public"]);
  });
});
