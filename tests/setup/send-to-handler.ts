import { apiRoutes } from "@/scripts/write-openapi";

/** Sends a request below `/api/v1` to the handler of its path, as the server does. */
export async function sendToHandler(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const { path, method, handler } of await apiRoutes()) {
    const pattern = new RegExp(`^/api/v1${path.replace(/\[(\w+)\]/g, "(?<$1>[^/]+)")}$`);
    const match = method === request.method && !path.includes("[...") && pattern.exec(pathname);
    if (!match) continue;
    request.headers.set("host", "localhost:3000");
    request.headers.set("x-forwarded-for", "198.51.100.44");
    return handler(request, { params: Promise.resolve({ ...match.groups }) });
  }
  throw new Error(`no call ${request.method} ${pathname}`);
}
