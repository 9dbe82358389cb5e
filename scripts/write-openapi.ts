import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  type Declaration,
  type Handler,
  isFactorAccess,
  isMerchantAccess,
  isStaffAccess,
  listCallErrors,
} from "@/lib/platform/api/declaration";
import { openApiDocument, type Route } from "@/lib/platform/api/openapi";
import type { DocumentName } from "@/lib/platform/api/openapi-files";
import { ERRORS } from "@/lib/platform/errors";
import { WEBHOOK_MESSAGES } from "@/lib/webhooks/contract-events";

/*
 * The lists of the API's operations and route files, and its OpenAPI documents. Without a folder, writes the lists
 * (lib/platform/api/operations.ts and routes.ts), which tests compare with the declarations and the folders, so that a change of
 * the contract is seen. With one, writes the documents into it, as the build does: a bundled route cannot list the others.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const API = join(ROOT, "app/api/v1");
export const OPERATIONS_FILE = join(ROOT, "lib/platform/api/operations.ts");
const ROUTES_FILE = join(ROOT, "lib/platform/api/routes.ts");
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

const accessOf = ({ handler }: Route) => handler.declaration.access;
const isForStaff = (route: Route) => isStaffAccess(accessOf(route)) || isFactorAccess(accessOf(route));
const isForMerchants = (route: Route) => isMerchantAccess(accessOf(route)) || isFactorAccess(accessOf(route));

/** The documents: the public calls, those for staff, those for merchants. */
export async function openApiDocuments(): Promise<Record<DocumentName, object>> {
  const routes = await apiRoutes();
  const others = routes.filter((route) => !isForStaff(route) && !isForMerchants(route));
  return {
    public: openApiDocument(others, "Passlane"),
    staff: openApiDocument(routes.filter(isForStaff), "Passlane staff"),
    merchants: openApiDocument(routes.filter(isForMerchants), "Passlane for merchants", WEBHOOK_MESSAGES),
  };
}

export async function writeDocuments(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, document] of Object.entries(await openApiDocuments())) {
    // Another process may write or read the same.
    const draft = join(folder, `.${name}-${process.pid}`);
    writeFileSync(draft, JSON.stringify(document));
    renameSync(draft, join(folder, `${name}.json`));
  }
}

/** Who may make a call: `staff:refunds.decide,reauthenticated`. */
function describeAccess({ access, hidden }: Declaration): string {
  if (typeof access === "string") return hidden ? `${access},hidden` : access;
  const names = isStaffAccess(access)
    ? [`staff:${access.permission ?? "any"}`, !access.factor && "without-factor"]
    : isMerchantAccess(access)
      ? [
          `merchant:${access.permission}`,
          access.scope !== null && `scope:${access.scope}`,
          access.whileSuspended && "while-suspended",
        ]
      : ["factor"];
  return [...names, access.reauthenticated && "reauthenticated", hidden && "hidden"]
    .filter((name) => name !== false && name !== undefined)
    .join(",");
}

/** `POST /cart/add public 200 400 404 …`: an operation, its access and the status codes of its responses. */
function describeOperation({ path, method, handler: { declaration } }: Route): string {
  const names = listCallErrors(declaration, method !== "GET");
  const statuses = [...new Set([200, ...names.map((name) => ERRORS[name].status)])].sort((a, b) => a - b);
  return [method, path, describeAccess(declaration), ...statuses].join(" ");
}

/** The content of the list of operations, in the order of their paths. */
export async function renderOperations(): Promise<string> {
  const lines = (await apiRoutes()).map((route) => ({ path: route.path, line: describeOperation(route) }));
  return [
    "/**",
    " * Every operation of /api/v1: method, path, access, status codes. `npx tsx scripts/write-openapi.ts` writes the list from the",
    " * declarations of the route files, and a test compares the two. The server takes the methods of a path from it.",
    " */",
    "export const OPERATIONS: readonly string[] = [",
    ...lines
      .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
      .map(({ line }) => `  ${JSON.stringify(line)},`),
    "];",
    "",
  ].join("\n");
}

/** The content of the list of route files, without its comment. */
async function renderRoutes(): Promise<string> {
  const paths = [...new Set((await apiRoutes()).map(({ path }) => path))].sort();
  const lines = paths.map((path) => `  "${path}": typeof import("@/app/api/v1${path}/route");`);
  return ["export type Routes = {", ...lines, "};", ""].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder) await writeDocuments(folder);
  else {
    writeFileSync(OPERATIONS_FILE, await renderOperations());
    const [comment = ""] = readFileSync(ROUTES_FILE, "utf8").split("export type");
    writeFileSync(ROUTES_FILE, comment + (await renderRoutes()));
    console.log("lib/platform/api/operations.ts and routes.ts are written.");
  }
  process.exit(0); // routes may have opened connections
}
