import { z } from "zod";
import { jsonSchema, type Route } from "./openapi";

/*
 * Prints the types of the browser's client (lib/platform/api/calls.ts) from the shapes that the OpenAPI document is made
 * of: the client imports no contract, and so no zod. docs/decisions/0028-generate-client-types-with-our-own-script.md says why no library does it.
 */
type Shape = z.core.JSONSchema.BaseSchema;
/** Lists in requests may be readonly; those in responses are mutable. */
type ListPrefix = "readonly " | "";

const NAMES: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

function typeOf(shape: Shape | boolean, list: ListPrefix): string {
  if (typeof shape === "boolean") return "unknown";
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(" | ");
  const types = Array.isArray(shape.type) ? shape.type.map((type) => ({ ...shape, type })) : undefined;
  const choices = shape.anyOf ?? shape.oneOf ?? types;
  if (choices) return [...new Set(choices.map((choice) => `(${typeOf(choice, list)})`))].join(" | ");
  if (shape.type === "array") return `${list}(${typeOf((shape.items as Shape) ?? {}, list)})[]`;
  if (shape.type !== "object") return NAMES[String(shape.type)] ?? "unknown";
  const fields = Object.entries(shape.properties ?? {}).map(([name, field]) =>
    shape.required?.includes(name)
      ? `${JSON.stringify(name)}: ${typeOf(field, list)};`
      : `${JSON.stringify(name)}?: (${typeOf(field, list)}) | undefined;`,
  );
  if (fields.length > 0) return `{ ${fields.join(" ")} }`;
  const values = typeof shape.additionalProperties === "object" ? shape.additionalProperties : undefined;
  return `Record<string, ${values ? typeOf(values, list) : "never"}>`;
}

const typeFor = (schema: z.ZodType | undefined, io: "input" | "output") =>
  schema
    ? typeOf(jsonSchema(schema, io) as Shape, io === "input" ? "readonly " : "")
    : "Record<string, never>";

/** `/product/detail/[id]` → a template type that `/product/detail/7` matches. */
const keyOf = (path: string) => `[path: \`${path.replace(/\[\w+\]/g, "$" + "{string}")}\`]`;

function callOf({ path, method, handler: { declaration } }: Route): string {
  const { body, query, result } = declaration;
  const input = method === "GET" ? `query: ${typeFor(query, "input")}` : `body: ${typeFor(body, "input")}`;
  const key = path.includes("[") ? keyOf(path) : JSON.stringify(path);
  return `${key}: { ${input}; data: ${typeFor(result as z.ZodType, "output")} };`;
}

/** The file before formatting: request and response types of each call, by method and path. */
export function clientTypes(routes: Route[]): string {
  const shown = routes
    .filter(({ handler: { declaration } }) => !declaration.hidden && declaration.result instanceof z.ZodType)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const types = ["Get", "Post", "Put"].map((name) => {
    const calls = shown.filter(({ method }) => method === name.toUpperCase()).map(callOf);
    return `export type ${name}Calls = { ${calls.join("\n")} };`;
  });
  return `// Written by scripts/write-openapi.ts from the declarations of the calls: not to be edited.\n\n${types.join("\n\n")}`;
}
