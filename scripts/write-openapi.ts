import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  type Handler,
  isFactorAccess,
  isMerchantAccess,
  isStaffAccess,
} from "@/lib/platform/api/declaration";
import { openApiDocument, type Route } from "@/lib/platform/api/openapi";

/*
 * Writes public/api/v1/openapi.json, which Next serves as /api/v1/openapi.json. A bundle cannot read its own route files,
 * so the document is generated before the build and committed; a test compares the two. The calls for staff have a document
 * of their own, which /api/v1/admin/openapi.json sends to staff, and those for merchants one at
 * /api/v1/merchant/openapi.json. Also writes the table of methods (lib/platform/api/methods.ts).
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const API = join(ROOT, "app/api/v1");
export const DOCUMENT = join(ROOT, "public/api/v1/openapi.json");
export const STAFF_DOCUMENT = join(ROOT, "lib/platform/api/staff-openapi.json");
export const MERCHANT_DOCUMENT = join(ROOT, "lib/platform/api/merchant-openapi.json");
export const METHOD_TABLE = join(ROOT, "lib/platform/api/methods.ts");
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

let routes: Promise<Route[]> | undefined;

/** Every method of every route file under app/api/v1, with its declaration; read once. */
export function apiRoutes(): Promise<Route[]> {
  routes ??= readRoutes();
  return routes;
}

async function readRoutes(): Promise<Route[]> {
  const files = readdirSync(API, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(^|\/)route\.ts$/.test(file),
  );
  const routes = await Promise.all(
    files.sort().map(async (file) => {
      const handlers: Record<string, Handler | undefined> = await import(pathToFileURL(join(API, file)).href);
      return METHODS.flatMap((method) => {
        const handler = handlers[method];
        return handler ? [{ path: `/${dirname(file)}`, method, handler }] : [];
      });
    }),
  );
  return routes.flat();
}

const toText = (document: object) => `${JSON.stringify(document, null, 2)}\n`;
const accessOf = ({ handler }: Route) => handler.declaration.access;
const isForStaff = (route: Route) => isStaffAccess(accessOf(route)) || isFactorAccess(accessOf(route));
const isForMerchants = (route: Route) => isMerchantAccess(accessOf(route)) || isFactorAccess(accessOf(route));

/** The content of the public document's file. */
export async function renderOpenApi(): Promise<string> {
  const routes = (await apiRoutes()).filter((route) => !isForStaff(route) && !isForMerchants(route));
  return toText(openApiDocument(routes, "Passlane"));
}

/** The content of the file with the calls for staff. */
export async function renderStaffOpenApi(): Promise<string> {
  return toText(openApiDocument((await apiRoutes()).filter(isForStaff), "Passlane staff"));
}

/** The content of the file with the calls for merchants. */
export async function renderMerchantOpenApi(): Promise<string> {
  return toText(openApiDocument((await apiRoutes()).filter(isForMerchants), "Passlane for merchants"));
}

/** The methods of each path, including hidden calls. Paths without parameters come first. */
export async function renderMethodTable(): Promise<string> {
  const methods: Record<string, string[]> = { "/openapi.json": ["GET"] };
  for (const { path, method } of await apiRoutes()) methods[path] = [...(methods[path] ?? []), method];
  const countParameters = (path: string) => (path.includes("[...") ? 9 : path.split("[").length - 1);
  const lines = Object.keys(methods)
    .sort((a, b) => countParameters(a) - countParameters(b) || (a < b ? -1 : 1))
    .map((path) => `  ${JSON.stringify(path)}: ${JSON.stringify(methods[path]).replaceAll(",", ", ")},`);
  return [
    "// Written by scripts/write-openapi.ts from the route files: not to be edited.",
    "export const API_METHODS: Readonly<Record<string, readonly string[]>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(dirname(DOCUMENT), { recursive: true });
  writeFileSync(DOCUMENT, await renderOpenApi());
  writeFileSync(STAFF_DOCUMENT, await renderStaffOpenApi());
  writeFileSync(MERCHANT_DOCUMENT, await renderMerchantOpenApi());
  writeFileSync(METHOD_TABLE, await renderMethodTable());
  console.log(
    "public/api/v1/openapi.json and, in lib/platform/api, staff-openapi.json, merchant-openapi.json and methods.ts are written.",
  );
  process.exit(0); // routes may have opened connections
}
