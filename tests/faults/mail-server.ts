import { createServer } from "node:http";

export type KeptMail = { key: string; to: string; subject: string; text: string; html: string };
export type MailServer = {
  port: number;
  /** Accepted mails by idempotency key. */
  mails: Map<string, KeptMail>;
  /** How often a mail came again under a key that had been accepted. */
  repeats(): number;
  stop(): Promise<void>;
};

/** A mail provider that speaks Resend's `POST /emails`: one mail per key, and other words under a known key are refused. */
export async function startMailServer(): Promise<MailServer> {
  const mails = new Map<string, KeptMail>();
  let repeats = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const key = String(request.headers["idempotency-key"] ?? "");
    const { to, subject, text, html } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const mail = { key, to: Array.isArray(to) ? to[0] : to, subject, text, html };
    const known = mails.get(key);
    if (known) repeats++;
    const say = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (known && JSON.stringify(known) !== JSON.stringify(mail))
      return say(409, { name: "invalid_idempotent_request", message: "other words", statusCode: 409 });
    mails.set(key, mail);
    say(200, { id: `mail-${mails.size}` });
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
