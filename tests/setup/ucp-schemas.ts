import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";

const places = [process.env.UCP_SCHEMAS, resolve("../shared/ucp"), "/work/shared/ucp"];

/** The folder of the protocol's official schemas, which are not part of this repository; undefined where it is missing. */
export const ucpFolder = places.find((place) => place && existsSync(join(place, "source/schemas/ucp.json")));

let loaded: Ajv | undefined;

function load(): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats(ajv);
  const folder = join(ucpFolder ?? "", "source/schemas");
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith(".json"))
      ajv.addSchema(JSON.parse(readFileSync(join(entry.parentPath, entry.name), "utf8")));
  return ajv;
}

const validators = new Map<string, ValidateFunction>();

/**
 * The errors of a value by an official schema, named by its path below https://ucp.dev/schemas/; empty if it is valid.
 */
export function ucpErrors(schema: string, value: unknown): string[] {
  loaded ??= load();
  const validate = validators.get(schema) ?? loaded.compile({ $ref: `https://ucp.dev/schemas/${schema}` });
  validators.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
