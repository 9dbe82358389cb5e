import { createServer, IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { onRequestError } from "@/instrumentation";
import { errorResponse } from "@/lib/platform/api/response";
import { VaryingResponse } from "@/lib/platform/http/varying-response";
import { runRequest } from "@/lib/platform/request-scope";

let server: Server;
let handle: (response: VaryingResponse) => void;
beforeAll(async () => {
  server = createServer({ IncomingMessage, ServerResponse: VaryingResponse }, (_, response) =>
    handle(response),
  );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterAll(() => new Promise((done) => server.close(done)));

const request = async (respond: typeof handle) => {
  handle = respond;
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    text: await response.text(),
  };
};
const databaseError = () => Object.assign(new Error("canceling statement"), { code: "57014" });

it("ignores what a handler writes after the response was ended for it", async () => {
  const response = await request((response) => {
    response.writeHead(503, { "Retry-After": "5" }).end("unavailable");
    response.setHeader("X-Late", "1");
    response.appendHeader("X-Late", "2");
    response.removeHeader("Retry-After");
    expect(response.write("late")).toBe(true);
    response.writeHead(200, { "X-Late": "3" });
    response.end("late");
  });
  expect(response).toEqual({ status: 503, retryAfter: "5", text: "unavailable" });
});

it("reports an error of a page to its request if the database caused it", () => {
  let failures = 0;
  const onFailure = () => {
    failures += 1;
  };
  const report = (error: unknown) =>
    runRequest({ onDatabaseFailure: onFailure }, () => onRequestError(error));
  report(new Error("a mistake"));
  expect(failures).toBe(0);
  report(databaseError());
  expect(failures).toBe(1);
  onRequestError(databaseError()); // outside of a request
});

it("a call that the database failed is unavailable, with the seconds to wait; any other failure is a system error", async () => {
  const { response, error } = errorResponse(new Error("outer", { cause: databaseError() }), "ja");
  expect([response.status, response.headers.get("retry-after"), error.error]).toEqual([
    503,
    "5",
    "unavailable",
  ]);
  expect((await response.json()).message).toContain("ただいまご利用いただけません");
  expect(errorResponse(new Error("a mistake"), "en").response.status).toBe(500);
});
