import { createServer } from "node:http";

/** The yardstick of a cached page: a plain Node HTTP server with the same headers and bytes. */
export type BareResponse = { headers: Record<string, string>; body: string };

process.channel?.ref(); // scripts/start/follow-parent.mjs unreferences the channel
process.once("message", ({ headers, body }: BareResponse) => {
  const bytes = Buffer.from(body, "base64");
  createServer((_, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  }).listen(Number(process.env.PORT), () => process.send?.({ ready: true }));
});
