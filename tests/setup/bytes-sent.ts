import { get } from "node:http";

/** Size of a response body as sent with gzip, in bytes. Throws for any status but 200. */
export function bytesSent(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((done, fail) => {
    get(url, { headers: { ...headers, "accept-encoding": "gzip" } }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on("end", () =>
        answer.statusCode === 200 ? done(bytes) : fail(new Error(`${url}: ${answer.statusCode}`)),
      );
    }).on("error", fail);
  });
}
