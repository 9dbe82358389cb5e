import { z } from "zod";
import { jsonSchema, type Route } from "./openapi";

/*
 * Generates the types of the browser's client (lib/platform/api/calls.ts) from the same schemas as the OpenAPI document,
 * so that the client imports no contract and no zod. Why no library does it:
 * docs/decisions/0028-generate-client-types-with-our-own-script.md.
 */
type Shape = z.core.JSONSchema.BaseSchema;
/** An object type or a union, named after the first field that has it. In other texts, `@7@` stands for type 7. */
type NamedType = { text: string; name: string };
/** Arrays are readonly in requests and mutable in responses. */
type Context = { readonlyLists: boolean; types: NamedType[] };

const PRIMITIVES: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** Shorter types are repeated. */
const MIN_NAMED_LENGTH = 60;

function nameType(text: string, field: string, { types }: Context): string {
  if (text.length < MIN_NAMED_LENGTH) return text;
  const name = field.replace(/(?:^|[^a-z]+)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const found = types.findIndex((type) => type.text === text);
  return `@${found < 0 ? types.push({ text, name }) - 1 : found}@`;
}

function renderType(shape: Shape | boolean, field: string, context: Context): string {
  if (typeof shape === "boolean") return "unknown";
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum)
    return nameType(shape.enum.map((value) => JSON.stringify(value)).join(" | "), field, context);
  const alternatives = Array.isArray(shape.type) ? shape.type.map((type) => ({ ...shape, type })) : undefined;
  const choices = shape.anyOf ?? shape.oneOf ?? alternatives;
  if (choices)
    return [...new Set(choices.map((choice) => `(${renderType(choice, field, context)})`))].join(" | ");
  if (shape.type === "array") {
    const item = renderType((shape.items as Shape) ?? {}, field.replace(/(?<=ss)es$|s$/, ""), context);
    return `${context.readonlyLists ? "readonly " : ""}(${item})[]`;
  }
  if (shape.type !== "object") return PRIMITIVES[String(shape.type)] ?? "unknown";
  const fields = Object.entries(shape.properties ?? {}).map(([name, value]) =>
    shape.required?.includes(name)
      ? `${JSON.stringify(name)}: ${renderType(value, name, context)};`
      : `${JSON.stringify(name)}?: (${renderType(value, name, context)}) | undefined;`,
  );
  if (fields.length > 0) return nameType(`{ ${fields.join(" ")} }`, field, context);
  const values = typeof shape.additionalProperties === "object" ? shape.additionalProperties : undefined;
  return `Record<string, ${values ? renderType(values, field, context) : "never"}>`;
}

/** Declares the types that several texts contain, and writes the others where they are used. */
function declareTypes(text: string, types: NamedType[]): string {
  const everything = [text, ...types.map((type) => type.text)].join();
  const names = new Map<string, string>();
  types.forEach(({ name }, index) => {
    if (everything.split(`@${index}@`).length <= 2) return;
    const number = [...names.values()].filter((other) => other.replace(/\d+$/, "") === name).length + 1;
    names.set(String(index), number > 1 ? `${name}${number}` : name);
  });
  const resolve = (part: string): string =>
    part.replace(/@(\d+)@/g, (_, index) => names.get(index) ?? resolve(types[index]!.text));
  const declared = [...names].map(
    ([index, name]) => `type ${name} = ${resolve(types[Number(index)]!.text)};`,
  );
  return [...declared, resolve(text)].join("\n\n");
}

/** `/product/detail/[id]` → a template type that `/product/detail/7` matches. */
const renderPathKey = (path: string) => `[path: \`${path.replace(/\[\w+\]/g, "$" + "{string}")}\`]`;

/** Whether the template type of a path also matches another one: `/products/[id]` and `/products/[id]/undo`. */
const covers = ({ path }: Route, other: Route): boolean =>
  path.includes("[") &&
  path !== other.path &&
  new RegExp(`^${path.replace(/\[\w+\]/g, ".+")}$`).test(other.path);

/** A call; its types are those of the paths that its template matches as well, as TypeScript requires of them. */
function renderCall(route: Route, others: readonly Route[], types: NamedType[]): string {
  const matched = [route, ...others.filter((other) => covers(route, other))];
  const render = (schema: z.ZodType | undefined, path: string, io: "input" | "output") =>
    schema
      ? renderType(jsonSchema(schema, io) as Shape, `${path} ${io}`, { readonlyLists: io === "input", types })
      : "Record<string, never>";
  const union = (texts: string[]) => [...new Set(texts)].join(" | ");
  const { path, method } = route;
  const inQuery = method === "GET";
  const input = union(
    matched.map(({ path: own, handler: { declaration } }) =>
      render(inQuery ? declaration.query : declaration.body, own, "input"),
    ),
  );
  const data = union(
    matched.map(({ path: own, handler: { declaration } }) =>
      render(declaration.result as z.ZodType, own, "output"),
    ),
  );
  const key = path.includes("[") ? renderPathKey(path) : JSON.stringify(path);
  return `${key}: { ${inQuery ? "query" : "body"}: ${input}; data: ${data} };`;
}

/** The file before formatting: request and response types of each call, by method and path. */
export function clientTypes(routes: Route[]): string {
  const types: NamedType[] = [];
  const visible = routes
    .filter(({ handler: { declaration } }) => !declaration.hidden && declaration.result instanceof z.ZodType)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const calls = ["Get", "Post", "Put"].map((name) => {
    const ofMethod = visible.filter(({ method }) => method === name.toUpperCase());
    return `export type ${name}Calls = { ${ofMethod.map((route) => renderCall(route, ofMethod, types)).join("\n")} };`;
  });
  const file = declareTypes(calls.join("\n\n"), types);
  return `// Written by scripts/write-openapi.ts from the declarations of the calls: not to be edited.\n\n${file}`;
}
