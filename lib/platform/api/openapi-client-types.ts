import { z } from "zod";
import { jsonSchema, type Route } from "./openapi";

/*
 * Generates the types of the browser's client (lib/platform/api/calls.ts) from the same schemas as the OpenAPI document,
 * so that the client imports no contract and no zod. Why no library does it:
 * docs/decisions/0028-generate-client-types-with-our-own-script.md.
 */
type Shape = z.core.JSONSchema.BaseSchema;
/** Arrays are readonly in requests and mutable in responses. */
type ListPrefix = "readonly " | "";

const PRIMITIVES: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

function renderType(shape: Shape | boolean, list: ListPrefix): string {
  if (typeof shape === "boolean") return "unknown";
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(" | ");
  const types = Array.isArray(shape.type) ? shape.type.map((type) => ({ ...shape, type })) : undefined;
  const choices = shape.anyOf ?? shape.oneOf ?? types;
  if (choices) return [...new Set(choices.map((choice) => `(${renderType(choice, list)})`))].join(" | ");
  if (shape.type === "array") return `${list}(${renderType((shape.items as Shape) ?? {}, list)})[]`;
  if (shape.type !== "object") return PRIMITIVES[String(shape.type)] ?? "unknown";
  const fields = Object.entries(shape.properties ?? {}).map(([name, field]) =>
    shape.required?.includes(name)
      ? `${JSON.stringify(name)}: ${renderType(field, list)};`
      : `${JSON.stringify(name)}?: (${renderType(field, list)}) | undefined;`,
  );
  if (fields.length > 0) return `{ ${fields.join(" ")} }`;
  const values = typeof shape.additionalProperties === "object" ? shape.additionalProperties : undefined;
  return `Record<string, ${values ? renderType(values, list) : "never"}>`;
}

const renderSchema = (schema: z.ZodType | undefined, io: "input" | "output") =>
  schema
    ? renderType(jsonSchema(schema, io) as Shape, io === "input" ? "readonly " : "")
    : "Record<string, never>";

/** `/product/detail/[id]` → a template type that `/product/detail/7` matches. */
const renderPathKey = (path: string) => `[path: \`${path.replace(/\[\w+\]/g, "$" + "{string}")}\`]`;

function renderCall({ path, method, handler: { declaration } }: Route): string {
  const { body, query, result } = declaration;
  const input =
    method === "GET" ? `query: ${renderSchema(query, "input")}` : `body: ${renderSchema(body, "input")}`;
  const key = path.includes("[") ? renderPathKey(path) : JSON.stringify(path);
  return `${key}: { ${input}; data: ${renderSchema(result as z.ZodType, "output")} };`;
}

/** The file before formatting: request and response types of each call, by method and path. */
export function clientTypes(routes: Route[]): string {
  const visible = routes
    .filter(({ handler: { declaration } }) => !declaration.hidden && declaration.result instanceof z.ZodType)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const types = ["Get", "Post", "Put"].map((name) => {
    const calls = visible.filter(({ method }) => method === name.toUpperCase()).map(renderCall);
    return `export type ${name}Calls = { ${calls.join("\n")} };`;
  });
  return `// Written by scripts/write-openapi.ts from the declarations of the calls: not to be edited.\n\n${types.join("\n\n")}`;
}
