import { z } from "zod";
import { jsonSchema, type Route } from "./openapi";

/*
 * The types of the browser's client (lib/platform/api/calls.ts), printed from the same shapes that the document is made of: the
 * client imports no contract, and so no zod.
 */
type Shape = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  additionalProperties?: Shape | boolean;
};

const NAMES: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

const either = (types: string[]) => [...new Set(types)].join(" | ");

function objectType({ properties = {}, required = [], additionalProperties }: Shape, indent: string): string {
  const fields = Object.entries(properties);
  if (fields.length === 0 && typeof additionalProperties === "object")
    return `Record<string, ${typeOf(additionalProperties, indent)}>`;
  if (fields.length === 0) return "Record<string, never>";
  const inner = `${indent}  `;
  const lines = fields.map(([name, shape]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(shape, inner);
    return required.includes(name) ? `${inner}${key}: ${type};` : `${inner}${key}?: ${type} | undefined;`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

/** TypeScript for a JSON Schema. */
function typeOf(shape: Shape, indent: string): string {
  if ("const" in shape) return JSON.stringify(shape.const);
  if (shape.enum) return either(shape.enum.map((value) => JSON.stringify(value)));
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return either(choices.map((choice) => typeOf(choice, indent)));
  if (shape.allOf) return shape.allOf.map((part) => typeOf(part, indent)).join(" & ");
  const types = [shape.type].flat().filter((type) => type !== undefined);
  if (types.length > 1) return either(types.map((type) => typeOf({ ...shape, type }, indent)));
  const [type] = types;
  if (type === "object") return objectType(shape, indent);
  if (type === "array") {
    const item = typeOf(shape.items ?? {}, indent);
    return /[|&]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  return (type && NAMES[type]) ?? "unknown";
}

/** A caller's lists are only read. */
const typeFor = (schema: z.ZodType | undefined, io: "input" | "output") => {
  if (!schema) return "Record<string, never>";
  const type = typeOf(jsonSchema(schema, io) as Shape, "    ");
  return io === "input" ? type.replace(/: (?=[^;{]*\[\])/g, ": readonly ") : type;
};

/** `/product/detail/[id]` → a template type that `/product/detail/7` fits. */
const keyOf = (path: string) =>
  path.includes("[") ? `[path: \`${path.replace(/\[\w+\]/g, "$" + "{string}")}\`]` : JSON.stringify(path);

function callsOf(routes: Route[], method: string): string {
  const lines = routes
    .filter((route) => route.method === method)
    .map(({ path, handler: { declaration } }) => {
      const { body, query, result } = declaration;
      const sent = method === "GET" ? `query: ${typeFor(query, "input")}` : `body: ${typeFor(body, "input")}`;
      return `  ${keyOf(path)}: {\n    ${sent};\n    data: ${typeFor(result as z.ZodType, "output")};\n  };`;
    });
  return `export type ${method[0]}${method.slice(1).toLowerCase()}Calls = {\n${lines.join("\n")}\n};`;
}

/** The file: what each call takes and gives, by method and path. */
export function clientTypes(routes: Route[]): string {
  const shown = routes
    .filter(({ handler: { declaration } }) => !declaration.hidden && !declaration.raw)
    .filter(({ handler: { declaration } }) => declaration.result instanceof z.ZodType)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const head = "// Written by scripts/write-openapi.ts from the declarations of the calls: not to be edited.";
  return `${[head, ...["GET", "POST", "PUT"].map((method) => callsOf(shown, method))].join("\n\n")}\n`;
}
