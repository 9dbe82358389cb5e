import { get } from "node:http";

/** Bytes of an answer as they travel with gzip, without its headers. Throws on anything but 200. */
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
