import { request as httpRequest } from "node:http";
import { clientAddress } from "./client-address";

const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36";
const PHONE = "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 Chrome/116.0 Mobile Safari/537.36";

export type PageResponse = { status: number; headers: Record<string, string>; text: string };
type RequestOptions = { method?: string; headers?: Record<string, string>; body?: string };

/** Sends a request with any headers, also those that `fetch` forbids. Returns the body without decompression. */
export function sendRequest(
  address: string,
  path: string,
  { method = "GET", headers, body }: RequestOptions = {},
): Promise<PageResponse> {
  const { hostname, port } = new URL(address);
  const agent = path.includes("/mobile") ? PHONE : DESKTOP;
  return new Promise((done, fail) => {
    const request = httpRequest(
      {
        hostname,
        port,
        path,
        method,
        headers: { "user-agent": agent, "x-forwarded-for": clientAddress(), ...headers },
        timeout: 120_000,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", fail);
        response.on("end", () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string>,
            text: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    request.on("error", fail).on("timeout", () => request.destroy(new Error(`no response: ${path}`)));
    request.end(body);
  });
}
