import { createServer } from "node:http";

type ReceivedMail = { key: string; to: string; subject: string; text: string; html: string };
export type MailServer = {
  port: number;
  /** Accepted emails by idempotency key. */
  mails: Map<string, ReceivedMail>;
  /** The number of requests with an idempotency key that was accepted before. */
  repeats(): number;
  stop(): Promise<void>;
};

/** Emulates Resend's `POST /emails`: one email per idempotency key; a known key with another content is rejected. */
export async function startMailServer(): Promise<MailServer> {
  const mails = new Map<string, ReceivedMail>();
  let repeats = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const key = String(request.headers["idempotency-key"] ?? "");
    const { to, subject, text, html } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const mail = { key, to: Array.isArray(to) ? to[0] : to, subject, text, html };
    const previous = mails.get(key);
    if (previous) repeats++;
    const respond = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (previous && JSON.stringify(previous) !== JSON.stringify(mail))
      return respond(409, {
        name: "invalid_idempotent_request",
        message: "different content",
        statusCode: 409,
      });
    mails.set(key, mail);
    respond(200, { id: `mail-${mails.size}` });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    mails,
    repeats: () => repeats,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
