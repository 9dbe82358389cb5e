import { z } from "zod";
import { ERRORS, type ErrorName } from "@/lib/platform/errors";
import { type Declaration, type Handler, isMerchantAccess, listCallErrors } from "./declaration";
import {
  ATTRIBUTION_PARAMETERS,
  ENVELOPES,
  failureExample,
  HEADER_PARAMETERS,
  MERCHANT_PARAMETERS,
  MERCHANT_SCHEMES,
  QUERY_PARAMETERS,
  SECURITY_SCHEMES,
  successExample,
} from "./openapi-components";
import { exampleFor } from "./openapi-examples";

/** A method of a route file, e.g. `/product/detail/[id]`, GET. */
export type Route = { path: string; method: string; handler: Handler };

type Json = Record<string, unknown>;
/** Components shared by the operations, collected while they are written. */
type Shared = { schemas: Json; examples: Json; responses: Json };

/** Removes the bounds that any JavaScript integer has. */
function dropIntegerBounds(shape: { minimum?: number | undefined; maximum?: number | undefined }): void {
  if (shape.minimum === Number.MIN_SAFE_INTEGER) delete shape.minimum;
  if (shape.maximum === Number.MAX_SAFE_INTEGER) delete shape.maximum;
}

const jsonSchemas = { input: new WeakMap<z.ZodType, Json>(), output: new WeakMap<z.ZodType, Json>() };

/** The JSON Schema of a shape, written once and not to be changed. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const cached = jsonSchemas[io].get(schema);
  if (cached) return cached;
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
    override: ({ jsonSchema: shape }) => dropIntegerBounds(shape),
  }) as Json;
  jsonSchemas[io].set(schema, rest);
  return rest;
}

/** An example of an input: the required fields, and one more where alternatives demand it. */
export function inputExample(schema: z.ZodType): unknown {
  const shape = jsonSchema(schema, "input");
  const full = exampleFor(shape, { name: "", allFields: false });
  if (schema.safeParse(full).success || full === null || typeof full !== "object") return full;
  const required = (shape.required ?? []) as string[];
  const only = (names: string[]) =>
    Object.fromEntries(Object.entries(full).filter(([name]) => names.includes(name)));
  const candidates = [required, ...Object.keys(full).map((name) => [...required, name])].map(only);
  return candidates.find((candidate) => schema.safeParse(candidate).success) ?? full;
}

/** An example of a result. */
export const resultExample = (schema: z.ZodType) =>
  exampleFor(jsonSchema(schema, "output"), { name: "", allFields: true });

/** The fields of a query or path as parameters. */
function parameters(schema: z.ZodType | undefined, location: "query" | "path"): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: location,
    required: location === "path" || required.includes(name),
    schema: shape,
    example: exampleFor(shape, { name, allFields: true }),
  }));
}

/** The media types of a body, all with the same fields. */
const BODY_TYPES = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"];

function describeRequest({ body, raw, file }: Declaration, id: string, shared: Shared): Json {
  if (file) {
    const content = file.types.map((type) => [
      type,
      { schema: { type: "string", contentMediaType: type, maxLength: file.limitBytes } },
    ]);
    const fields = body ? describeFields(body, id, shared, ["application/json"]) : {};
    return { requestBody: { required: true, content: { ...Object.fromEntries(content), ...fields } } };
  }
  if (raw)
    return {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: { type: "object" }, example: { id: "evt_1Q", object: "event" } },
        },
      },
    };
  if (!body) return {};
  return { requestBody: { required: true, content: describeFields(body, id, shared, BODY_TYPES) } };
}

function describeFields(body: z.ZodType, id: string, shared: Shared, types: readonly string[]): Json {
  const name = `${id[0]?.toUpperCase()}${id.slice(1)}Body`;
  const own = jsonSchema(body, "input");
  // A body with alternatives lists its own fields.
  shared.schemas[name] = own.properties
    ? {
        ...own,
        allOf: [{ $ref: "#/components/schemas/AttributionParameters" }],
        unevaluatedProperties: false,
      }
    : own;
  const schema = { $ref: `#/components/schemas/${name}` };
  const example = inputExample(body);
  return Object.fromEntries(types.map((type) => [type, { schema, example }]));
}

function describeSuccess({ result }: Declaration): Json {
  if (!(result instanceof z.ZodType))
    return {
      description: "The file",
      content: { [result.binary]: { schema: { type: "string", contentMediaType: result.binary } } },
    };
  const schema = {
    allOf: [
      { $ref: "#/components/schemas/Success" },
      { type: "object", required: ["data"], properties: { data: jsonSchema(result, "output") } },
    ],
  };
  const example = successExample(resultExample(result));
  return { description: "Success", content: { "application/json": { schema, example } } };
}

/** The response of one status; equal responses are shared. */
function describeErrors(status: number, names: ErrorName[], shared: Shared): Json {
  const sorted = [...names].sort();
  const key = `Refused${status}-${sorted.join("-")}`;
  const retry = { "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } } };
  shared.responses[key] ??= {
    description: sorted.map((name) => `\`${ERRORS[name].code}\` ${name}`).join(", "),
    ...(status === 429 && { headers: retry }),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Failure" },
        examples: Object.fromEntries(sorted.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
      },
    },
  };
  for (const name of sorted) shared.examples[name] ??= failureExample(name);
  return { $ref: `#/components/responses/${key}` };
}

function describeResponses(declaration: Declaration, write: boolean, shared: Shared): Json {
  const names = listCallErrors(declaration, write);
  const statuses = [...new Set(names.map((name) => ERRORS[name].status))].sort((a, b) => a - b);
  const errors = statuses.map((status) => {
    const namesOfStatus = names.filter((name) => ERRORS[name].status === status);
    return [String(status), describeErrors(status, namesOfStatus, shared)];
  });
  return { "200": describeSuccess(declaration), ...Object.fromEntries(errors) };
}

const refs = (components: Json) =>
  Object.keys(components).map((name) => ({ $ref: `#/components/parameters/${name}` }));
const SIGNED_IN = [{ bearer: [] }, { cookie: [] }];

function describeSecurity({ access, raw }: Declaration): Json[] {
  if (raw) return [{ stripeSignature: [] }];
  if (isMerchantAccess(access) && access.scope !== null) return [{ merchantToken: [] }, ...SIGNED_IN];
  // A public call accepts a session too, but a security entry would suggest that it needs one.
  return access === "public" ? [] : SIGNED_IN;
}

/** The description of a call, with the scope that a merchant's token needs. */
function describeCall({ access, description }: Declaration): Json {
  const scope = !isMerchantAccess(access)
    ? undefined
    : access.scope === null
      ? "Tokens cannot make this call."
      : `Scope of a token: \`${access.scope}\`.`;
  const text = [description, scope].filter(Boolean).join(" ");
  return text ? { description: text } : {};
}

/** `/product/detail/[id]`, GET → `getProductDetailId`. */
export const operationId = ({ method, path }: Route) =>
  `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_, next = "") => next.toUpperCase())}`;

function operation(route: Route, shared: Shared): Json {
  const { path, method, handler } = route;
  const { declaration } = handler;
  const { params, query, body, raw, file } = declaration;
  const write = method !== "GET";
  // The query of a file is not needed by those who send JSON in its place.
  const queryShape = file && body && query instanceof z.ZodObject ? query.partial() : query;
  const own = [...parameters(params, "path"), ...parameters(queryShape, "query")];
  const { AcceptLanguage, IdempotencyKey } = HEADER_PARAMETERS;
  return {
    operationId: operationId(route),
    tags: [path.split("/")[1]],
    summary: declaration.summary,
    ...describeCall(declaration),
    security: describeSecurity(declaration),
    parameters: [
      ...own,
      ...(declaration.body ? [] : refs(QUERY_PARAMETERS)).filter(
        (_, i) => !own.some(({ name }) => name === ATTRIBUTION_NAMES[i]),
      ),
      ...refs({
        ...(isMerchantAccess(declaration.access) && MERCHANT_PARAMETERS),
        AcceptLanguage,
        ...(write && !raw && (!file || declaration.body) && { IdempotencyKey }),
      }),
    ],
    ...(write && describeRequest(declaration, operationId(route), shared)),
    responses: describeResponses(declaration, write, shared),
  };
}

const ATTRIBUTION_NAMES = Object.keys(ATTRIBUTION_PARAMETERS.properties as Json);

/** Tags by the first word of a path, in reading order. */
const listTags = (routes: Route[]) =>
  [...new Set(routes.map(({ path }) => path.split("/")[1] ?? ""))].sort().map((name) => ({ name }));

const DESCRIPTION = `Every response is an envelope: \`code\` ("200" or an error code), \`state\` (0 or the code as a number), \`success\`, \`message\` in the language of the request, and \`data\`. The HTTP status is the first three digits of the code.

Money is a decimal number of US dollars, times are ISO 8601 in UTC. Bodies are JSON or forms of at most 64 KiB; unknown fields are rejected. A write with an \`Idempotency-Key\` runs once. Addresses of more than 1,024 bytes of path or 4,096 of query (\`414\`), more than 100 headers (\`431\`) and malformed addresses (\`400\`) are refused before any call.`;

/** A message that the shop sends to an address of the recipient. */
export type SentMessage = { name: string; summary: string; body: z.ZodType };

const MESSAGE_HEADERS = ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"];

/** A message as the document's `webhooks` describe it. */
const describeMessage = ({ name, summary, body }: SentMessage): Json => ({
  post: {
    operationId: `send${name.replace(/(?:^|\.)(.)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ["webhooks"],
    summary,
    parameters: MESSAGE_HEADERS.map((header) => ({
      name: header,
      in: "header",
      required: true,
      schema: { type: "string" },
    })),
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: jsonSchema(body, "output"), example: resultExample(body) },
      },
    },
    responses: {
      "2XX": { description: "Received. Any other answer is a failure, and the message is sent again." },
    },
  },
});

/** The OpenAPI 3.1 document of the given routes and of the shop's webhooks. */
export function openApiDocument(routes: Route[], title: string, messages: readonly SentMessage[] = []): Json {
  const paths: Record<string, Json> = {};
  const shared: Shared = {
    schemas: { ...ENVELOPES, AttributionParameters: ATTRIBUTION_PARAMETERS },
    examples: {},
    responses: {},
  };
  const shown = routes.filter(({ handler }) => !handler.declaration.hidden);
  const forMerchants = shown.some(({ handler }) => isMerchantAccess(handler.declaration.access));
  for (const route of shown.sort((a, b) =>
    `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`, "en"),
  )) {
    const path = route.path.replace(/\[(\w+)\]/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, shared) };
  }
  return {
    openapi: "3.1.0",
    info: { title: `${title} API`, version: "1", description: DESCRIPTION },
    servers: [{ url: "/api/v1" }],
    tags: [...listTags(shown), ...(messages.length > 0 ? [{ name: "webhooks" }] : [])],
    paths,
    ...(messages.length > 0 && {
      webhooks: Object.fromEntries(messages.map((message) => [message.name, describeMessage(message)])),
    }),
    components: {
      ...shared,
      parameters: { ...QUERY_PARAMETERS, ...HEADER_PARAMETERS, ...(forMerchants && MERCHANT_PARAMETERS) },
      securitySchemes: { ...SECURITY_SCHEMES, ...(forMerchants && MERCHANT_SCHEMES) },
    },
  };
}
