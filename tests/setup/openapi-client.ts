/*
 * Generates a client from an OpenAPI document, as a merchant's developer does with a generator of their choice. It reads
 * nothing but the document.
 */
type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
};
type Parameter = { $ref?: string; name?: string; in?: string; required?: boolean; schema?: Schema };
type Content = Record<string, { schema?: Schema }>;
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
export type OpenApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};

const PRIMITIVES: Record<string, string> = { integer: "number", number: "number", string: "string" };
Object.assign(PRIMITIVES, { boolean: "boolean", null: "null" });

const nameOf = (ref: string) => ref.split("/").at(-1)!;
const typeName = (name: string) => name.replace(/\W+/g, "_");

function typeOf(schema: Schema | undefined): string {
  if (!schema) return "unknown";
  if (schema.$ref) return typeName(nameOf(schema.$ref));
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => `(${typeOf(choice)})`).join(" | ");
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part)})`).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  if (schema.type === "array") return `(${typeOf(schema.items)})[]`;
  if (schema.type !== "object") return PRIMITIVES[schema.type ?? ""] ?? "unknown";
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) =>
      `${JSON.stringify(name)}${schema.required?.includes(name) ? "" : "?"}: ${typeOf(field)};`,
  );
  if (fields.length > 0) return `{ ${fields.join(" ")} }`;
  const { additionalProperties: values } = schema;
  return `Record<string, ${typeof values === "object" ? typeOf(values) : "unknown"}>`;
}

/** The source of a TypeScript client: a function for each operation, with typed parameters, body and response. */
export function generateClient({ paths, components }: OpenApiDocument): string {
  const resolve = (parameter: Parameter): Parameter =>
    parameter.$ref ? components.parameters[nameOf(parameter.$ref)]! : parameter;
  const functions = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId, parameters = [], requestBody, responses }]) => {
      const resolved = parameters.map(resolve);
      const fieldsIn = (place: string) =>
        resolved
          .filter((parameter) => parameter.in === place)
          .map(
            ({ name, required, schema }) =>
              `${JSON.stringify(name)}${required ? "" : "?"}: ${typeOf(schema)};`,
          )
          .join(" ");
      const needs = (place: string) => resolved.some((one) => one.in === place && one.required);
      const contents = Object.entries(requestBody?.content ?? {});
      const [type = "", { schema } = {}] =
        contents.find(([name]) => !name.includes("json") && !name.includes("form")) ??
        contents.find(([name]) => name === "application/json") ??
        [];
      const input = [
        `path${needs("path") ? "" : "?"}: { ${fieldsIn("path")} }`,
        `query${needs("query") ? "" : "?"}: { ${fieldsIn("query")} }`,
        `headers?: { ${fieldsIn("header")} }`,
        requestBody && `body: ${typeOf(schema)}`,
      ].filter(Boolean);
      const optional = needs("path") || needs("query") || requestBody ? "" : " = {}";
      const [, ok] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
      const result = typeOf(ok?.content?.["application/json"]?.schema);
      return `  ${operationId}: (input: { ${input.join("; ")} }${optional}): Promise<${result}> =>
    send(${JSON.stringify(method.toUpperCase())}, ${JSON.stringify(path)}, ${JSON.stringify(type)}, input) as Promise<${result}>,`;
    }),
  );
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${typeName(name)} = ${typeOf(schema)};`,
  );
  return `${types.join("\n")}
type Input = { path?: object; query?: object; headers?: object; body?: unknown };
export const createClient = (address: string, token: string, request: (request: Request) => Promise<Response>) => {
  const send = async (method: string, template: string, type: string, { path = {}, query = {}, headers = {}, body }: Input) => {
    const values = new Map(Object.entries(path));
    const filled = template.replace(/\\{(\\w+)\\}/g, (_, name) => encodeURIComponent(String(values.get(name))));
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const answer = await request(new Request(address + filled + (search.size > 0 ? "?" + search : ""), {
      method,
      headers: { authorization: "Bearer " + token, ...(type && { "content-type": type }), ...headers },
      ...(body !== undefined && { body: type === "application/json" ? JSON.stringify(body) : String(body) }),
    }));
    if (!answer.ok) throw new Error(answer.status + " " + (await answer.text()));
    return answer.headers.get("content-type")?.includes("json") ? answer.json() : answer.text();
  };
  return {
${functions.join("\n")}
  };
};
`;
}
