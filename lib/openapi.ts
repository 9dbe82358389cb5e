import { z } from "zod";
import type { Declaration, Handler } from "./endpoint-declaration";
import { ERROR_NAMES, ERRORS, type ErrorName } from "./errors";

/** One method of one route: where its handler was found, e.g. `/product/detail/[id]`, GET. */
export type Route = { path: string; method: string; handler: Handler };

type Json = Record<string, unknown>;

/** What the endpoint itself may refuse, by access and kind. */
function refusalsOf(declaration: Declaration, write: boolean): ErrorName[] {
  const everywhere: ErrorName[] = ["invalid_input", "too_many_requests", "system_error", "timeout"];
  const session: ErrorName[] = declaration.access === "public" ? [] : ["session_required", "session_ended"];
  const staff: ErrorName[] = declaration.access === "staff" ? ["staff_only"] : [];
  const writing: ErrorName[] = [
    "body_too_large",
    "unsupported_media",
    "cross_origin",
    "wrong_actor",
    "idempotency_reused",
    "idempotency_in_progress",
  ];
  return [
    ...new Set([
      ...declaration.errors,
      ...session,
      ...staff,
      ...(write && !declaration.raw ? writing : []),
      ...everywhere,
    ]),
  ];
}

const jsonSchema = (schema: z.ZodType, io: "input" | "output"): Json => {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
  }) as Json;
  return rest;
};

/** The fields of a query or path, each as a parameter of its own. */
function parameters(schema: z.ZodType | undefined, place: "query" | "path"): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, "input") as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: shape,
  }));
}

const json = (schema: Json) => ({ "application/json": { schema } });

function successOf({ result }: Declaration): Json {
  if (!(result instanceof z.ZodType)) return { description: "The file", content: { [result.binary]: {} } };
  const envelope = {
    allOf: [
      { $ref: "#/components/schemas/Success" },
      { type: "object", required: ["data"], properties: { data: jsonSchema(result, "output") } },
    ],
  };
  return { description: "Success", content: json(envelope) };
}

function responsesOf(declaration: Declaration, write: boolean): Json {
  const names = refusalsOf(declaration, write);
  const statuses = [...new Set(names.map((name) => ERRORS[name].status))].sort((a, b) => a - b);
  const refusals = statuses.map((status) => {
    const here = names.filter((name) => ERRORS[name].status === status);
    const description = here.map((name) => `\`${ERRORS[name].code}\` ${name}`).join(", ");
    return [String(status), { description, content: json({ $ref: "#/components/schemas/Failure" }) }];
  });
  return { "200": successOf(declaration), ...Object.fromEntries(refusals) };
}

function operation({ path, method, handler: { declaration } }: Route): Json {
  const write = method !== "GET";
  const security = { public: [{}, { bearer: [] }, { cookie: [] }], user: [{ bearer: [] }, { cookie: [] }] };
  const body = declaration.body && jsonSchema(declaration.body, "input");
  const shared = write ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : [];
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_, next = "") => next.toUpperCase())}`,
    tags: [path.split("/")[1]],
    summary: declaration.summary,
    ...(declaration.description && { description: declaration.description }),
    security: security[declaration.access === "public" ? "public" : "user"],
    parameters: [
      ...parameters(declaration.params, "path"),
      ...parameters(declaration.query, "query"),
      { $ref: "#/components/parameters/TargetLang" },
      ...(declaration.raw ? [] : shared),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { ...json(body), "application/x-www-form-urlencoded": { schema: body } },
      },
    }),
    responses: responsesOf(declaration, write),
  };
}

const envelope = (success: boolean): Json => ({
  type: "object",
  required: ["code", "state", "success", "message", "data"],
  properties: {
    code: success
      ? { const: "200" }
      : { type: "string", enum: [...new Set(ERROR_NAMES.map((name) => ERRORS[name].code))].sort() },
    state: success ? { const: 0 } : { type: "integer", description: "`code` as a number" },
    success: { const: success },
    message: { type: "string", description: "In the language of the request" },
    data: success ? {} : { type: "null" },
    ...(!success && {
      errors: {
        type: "array",
        items: {
          type: "object",
          required: ["path", "message"],
          properties: { path: { type: "string" }, message: { type: "string" } },
        },
      },
    }),
  },
});

/** The OpenAPI 3.1 document of these routes, from the same declarations that serve them. */
export function openApiDocument(routes: Route[], title: string): Json {
  const paths: Record<string, Json> = {};
  const shown = routes.filter(({ handler }) => !handler.declaration.hidden);
  for (const route of shown.sort((a, b) =>
    `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`, "en"),
  )) {
    const path = route.path.replace(/\[(\w+)\]/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: `${title} API`, version: "1" },
    servers: [{ url: "/api/v1" }],
    paths,
    components: {
      schemas: { Success: envelope(true), Failure: envelope(false) },
      parameters: {
        TargetLang: {
          name: "target_lang",
          in: "query",
          description:
            "Language of the answer, before Accept-Language; a body may carry it too, as it may source, campaign, medium and content",
          schema: { enum: ["en", "zh", "ja"] },
        },
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          description:
            "The same key within 24 hours does the write once; its answer is given again with `Idempotent-Replayed: true`",
          schema: { type: "string", maxLength: 200 },
        },
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        cookie: { type: "apiKey", in: "cookie", name: "next-auth.session-token" },
      },
    },
  };
}
