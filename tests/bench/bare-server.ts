import { createServer } from "node:http";

/** The yardstick of a kept page: Node's own server with the same headers and bytes, and nothing else. */
export type BareAnswer = { headers: Record<string, string>; body: string };

process.channel?.ref(); // scripts/follow-parent.mjs let it go
process.once("message", ({ headers, body }: BareAnswer) => {
  const bytes = Buffer.from(body, "base64");
  createServer((_, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  }).listen(Number(process.env.PORT), () => process.send?.({ ready: true }));
});
