import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { OutgoingMail } from "@/lib/platform/mail/send";

const folder = mkdtempSync(path.join(tmpdir(), "passlane-mail-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FIRST_PAGE = { page: 1, size: 100 };
const files = () => readdirSync(path.join(folder, "mailbox"));

/** Loads the mail modules with the given environment. */
async function loadModules(settings: Record<string, string>) {
  vi.resetModules();
  vi.unstubAllEnvs();
  const base = { DATA_DIR: folder, MAIL_FROM: "Passlane <hello@passlane.example>", LOG_LEVEL: "silent" };
  const required = {
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    AUTH_SECRET: "x".repeat(32),
    VAULT_KEY: Buffer.alloc(32, 1).toString("base64"),
    VAULT_HASH_KEY: Buffer.alloc(32, 2).toString("base64"),
    STRIPE_WEBHOOK_SECRET: "whsec_x",
    APP_MODE: "demo",
    PAYMENT_MODE: "sandbox",
  };
  for (const [name, value] of Object.entries({ ...required, ...base, ...settings })) vi.stubEnv(name, value);
  return { ...(await import("@/lib/platform/mail/send")), ...(await import("@/lib/platform/mail/mailbox")) };
}

const createMail = (more: Partial<OutgoingMail> = {}): OutgoingMail => ({
  id: "mail_1",
  to: "buyer@example.com",
  subject: "Your code",
  html: "<p>A-&lt;B&gt;</p>",
  text: "A-<B>\n",
  tags: { event: "keys", locale: "en" },
  idempotencyKey: "mail_1",
  ...more,
});

beforeEach(() => rmSync(path.join(folder, "mailbox"), { recursive: true, force: true }));

describe("local mailbox", () => {
  it("stores one file per idempotency key", async () => {
    const { sendMail, readMailbox } = await loadModules({ MAIL_MODE: "local" });
    await sendMail(createMail());
    const [first] = (await readMailbox(FIRST_PAGE)).mails;
    await new Promise((done) => setTimeout(done, 5));
    await sendMail(createMail());
    await Promise.all(Array.from({ length: 20 }, () => sendMail(createMail())));
    expect(files()).toHaveLength(1);
    expect((await readMailbox(FIRST_PAGE)).mails).toEqual([first]);
    expect(first).toMatchObject({
      id: "mail_1",
      to: "buyer@example.com",
      text: "A-<B>\n",
      tags: { event: "keys" },
    });
    expect(first!.headers).toMatchObject({ From: "Passlane <hello@passlane.example>", Subject: "Your code" });
  });

  it("sets Reply-To to the support address unless it is the sender", async () => {
    const { sendMail, readMailbox } = await loadModules({
      MAIL_MODE: "local",
      SUPPORT_EMAIL: "help@passlane.example",
    });
    await sendMail(createMail());
    const sameSender = await loadModules({ MAIL_MODE: "local", SUPPORT_EMAIL: "hello@passlane.example" });
    await sameSender.sendMail(createMail({ to: "other@example.com" }));
    const replyTo = (await readMailbox(FIRST_PAGE)).mails.map(({ to, headers }) => [to, headers["Reply-To"]]);
    expect(Object.fromEntries(replyTo)).toEqual({
      "buyer@example.com": "help@passlane.example",
      "other@example.com": undefined,
    });
  });

  it("lists the newest first, and filters by address in any case", async () => {
    const { sendMail, readMailbox, findMail } = await loadModules({ MAIL_MODE: "local" });
    for (const [n, to] of ["a@example.com", "b@example.com", "A@Example.com"].entries()) {
      await sendMail(createMail({ id: `mail_${n}`, idempotencyKey: `mail_${n}`, to }));
      await new Promise((done) => setTimeout(done, 3));
    }
    const idsOf = async (query: { to?: string; page?: number; size?: number }) => {
      const { mails, total } = await readMailbox({ ...FIRST_PAGE, ...query });
      return [mails.map(({ id }) => id), total];
    };
    expect(await idsOf({})).toEqual([["mail_2", "mail_1", "mail_0"], 3]);
    expect(await idsOf({ to: "a@EXAMPLE.com" })).toEqual([["mail_2", "mail_0"], 2]);
    expect(await idsOf({ size: 2 })).toEqual([["mail_2", "mail_1"], 3]);
    expect(await idsOf({ size: 2, page: 2 })).toEqual([["mail_0"], 3]);
    expect(await idsOf({ size: 2, page: 3 })).toEqual([[], 3]);
    expect(await idsOf({ to: "nobody@example.com" })).toEqual([[], 0]);
    await sendMail(createMail({ id: "mail_0", idempotencyKey: "mail_0", to: "a@example.com" }));
    expect(await idsOf({ size: 1 })).toEqual([["mail_2"], 3]);
    expect([(await findMail("mail_1"))?.to, await findMail("mail_9")]).toEqual(["b@example.com", null]);
  });

  it("forgets the time of a deleted file", async () => {
    const { sendMail, readMailbox } = await loadModules({ MAIL_MODE: "local" });
    const send = (n: number) => sendMail(createMail({ id: `mail_${n}`, idempotencyKey: `mail_${n}` }));
    await send(1);
    const [deleted] = files();
    await new Promise((done) => setTimeout(done, 5));
    await send(2);
    const idsOf = async () => (await readMailbox(FIRST_PAGE)).mails.map(({ id }) => id);
    expect(await idsOf()).toEqual(["mail_2", "mail_1"]);
    rmSync(path.join(folder, "mailbox", deleted!));
    expect(await idsOf()).toEqual(["mail_2"]);
    await new Promise((done) => setTimeout(done, 5));
    await send(1);
    expect(await idsOf()).toEqual(["mail_1", "mail_2"]);
  });

  it("reads only the files of the page", async () => {
    const { sendMail, readMailbox } = await loadModules({ MAIL_MODE: "local" });
    for (let n = 0; n < 5; n += 1)
      await sendMail(createMail({ id: `mail_${n}`, idempotencyKey: `mail_${n}` }));
    await readMailbox(FIRST_PAGE);
    const damaged = files().map((name) => path.join(folder, "mailbox", name));
    for (const file of damaged) writeFileSync(file, "{");
    expect((await readMailbox({ page: 2, size: 5 })).total).toBe(5);
    await expect(readMailbox({ page: 1, size: 5 })).rejects.toThrow();
  });

  it("is empty before the first email, and unreadable for other users of the machine", async () => {
    const { sendMail, readMailbox } = await loadModules({ MAIL_MODE: "local" });
    expect(await readMailbox(FIRST_PAGE)).toEqual({ mails: [], total: 0 });
    await sendMail(createMail());
    expect(statSync(path.join(folder, "mailbox")).mode & 0o077).toBe(0);
    expect(statSync(path.join(folder, "mailbox", files()[0]!)).mode & 0o077).toBe(0);
  });

  it("stays in its folder for any idempotency key", async () => {
    const { sendMail } = await loadModules({ MAIL_MODE: "local" });
    await sendMail(createMail({ id: "../../x", idempotencyKey: "../../../etc/x" }));
    expect(files()).toEqual([expect.stringMatching(/^[0-9a-f]{16}-[0-9a-f]{32}\.json$/)]);
  });

  it("exists only in local mode, and in production only when allowed", async () => {
    const production = { APP_MODE: "production", APP_URL: "https://shop.example" };
    expect((await loadModules({ MAIL_MODE: "local" })).hasMailbox()).toBe(true);
    expect((await loadModules({ MAIL_MODE: "smtp", SMTP_URL: "smtp://127.0.0.1:1" })).hasMailbox()).toBe(
      false,
    );
    const allowed = await loadModules({
      MAIL_MODE: "local",
      ...production,
      ALLOW_SANDBOX_IN_PRODUCTION: "1",
    });
    expect(allowed.hasMailbox()).toBe(true);
    const notAllowed = await loadModules({ MAIL_MODE: "local", ...production });
    expect(() => notAllowed.hasMailbox()).toThrow(/in production/);
  });
});

describe("sendMail", () => {
  const invalid: [string, Partial<OutgoingMail>][] = [
    ["a line break in the subject", { subject: "Hello\r\nBcc: all@example.com" }],
    ["a bare line feed in the subject", { subject: "Hello\nBcc: all@example.com" }],
    ["a Unicode line separator in the subject", { subject: "Hello\u2028there" }],
    ["a null byte", { subject: "Hello\0" }],
    ["a line break in a header", { headers: { "X-Note": "a\r\nBcc: all@example.com" } }],
    ["a header name with a colon", { headers: { "X-A: b\r\nBcc": "all@example.com" } }],
    ["a header that the server sets", { headers: { bcc: "all@example.com" } }],
    ["a line break in the sender", { from: "A\r\nBcc: x@example.com <a@example.com>" }],
    ["a sender without an address", { from: "Passlane" }],
    ["two addresses", { to: "a@example.com, b@example.com" }],
    ["an address with a name", { to: "A <a@example.com>" }],
    ["an address with a line break", { to: "a@example.com\r\nBcc: b@example.com" }],
    ["no address", { to: "" }],
    ["an address without a domain", { to: "a@" }],
    ["a long address", { to: `${"a".repeat(60)}@${"b".repeat(60)}.${`${"c".repeat(60)}.`.repeat(3)}com` }],
  ];
  it.each(invalid)("rejects %s", async (_, change) => {
    const { sendMail, UndeliverableEmailError, readMailbox } = await loadModules({ MAIL_MODE: "local" });
    await expect(sendMail(createMail(change))).rejects.toBeInstanceOf(UndeliverableEmailError);
    expect((await readMailbox(FIRST_PAGE)).total).toBe(0);
  });
});

const listen = <
  S extends { listen(port: number, host: string, done: () => void): unknown; address(): unknown },
>(
  server: S,
) =>
  new Promise<number>((done) =>
    server.listen(0, "127.0.0.1", () => done((server.address() as AddressInfo).port)),
  );

async function readBody(request: IncomingMessage) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return JSON.parse(text) as Record<string, unknown>;
}

describe("Resend", () => {
  let server: Server | undefined;
  afterAll(() => server?.close());

  async function respondWith(status: number, body: object) {
    const requests: { key: unknown; body: Record<string, unknown> }[] = [];
    server?.close();
    server = createServer(async (request, response) => {
      requests.push({ key: request.headers["idempotency-key"], body: await readBody(request) });
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const port = await listen(server);
    const modules = await loadModules({
      MAIL_MODE: "resend",
      RESEND_API_KEY: "re_x",
      RESEND_BASE_URL: `http://127.0.0.1:${port}`,
    });
    return { ...modules, requests };
  }

  it("receives the email with its idempotency key", async () => {
    const { sendMail, requests } = await respondWith(200, { id: "1" });
    await sendMail(createMail({ headers: { "Content-Language": "en" } }));
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      key: "mail_1",
      body: {
        from: "Passlane <hello@passlane.example>",
        to: "buyer@example.com",
        reply_to: "support@passlane.example",
        text: "A-<B>\n",
        headers: { "Content-Language": "en" },
        tags: [
          { name: "event", value: "keys" },
          { name: "locale", value: "en" },
        ],
      },
    });
  });

  it("responses are temporary, permanent, or already accepted", async () => {
    const rateLimited = await respondWith(429, {
      name: "rate_limit_exceeded",
      message: "slow down",
      statusCode: 429,
    });
    const temporaryError = await rateLimited.sendMail(createMail()).catch((error: unknown) => error);
    expect(temporaryError).toBeInstanceOf(Error);
    expect(temporaryError).not.toBeInstanceOf(rateLimited.UndeliverableEmailError);
    const invalidAddress = await respondWith(422, {
      name: "validation_error",
      message: "bad to",
      statusCode: 422,
    });
    await expect(invalidAddress.sendMail(createMail())).rejects.toBeInstanceOf(
      invalidAddress.UndeliverableEmailError,
    );
    const alreadySent = await respondWith(409, {
      name: "invalid_idempotent_request",
      message: "other body",
      statusCode: 409,
    });
    await expect(alreadySent.sendMail(createMail())).resolves.toBeUndefined();
  });
});

/** A minimal SMTP server. `recipient` is its reply to RCPT TO. */
function smtpServer(recipient = "250 ok") {
  const received: string[] = [];
  const server = createTcpServer((socket) => {
    let data: string | null = null;
    let rest = "";
    socket.on("error", () => {});
    socket.write("220 test\r\n");
    socket.on("data", (chunk) => {
      rest += chunk.toString("latin1");
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (data !== null) {
          if (line === ".") {
            received.push(data);
            data = null;
            socket.write("250 kept\r\n");
          } else data += `${line.startsWith(".") ? line.slice(1) : line}\r\n`;
        } else if (line === "DATA") {
          data = "";
          socket.write("354 go on\r\n");
        } else if (line === "QUIT") socket.end("221 bye\r\n");
        else socket.write(`${line.startsWith("RCPT TO") ? recipient : "250 ok"}\r\n`);
      }
    });
  });
  return { server, received };
}

describe("SMTP", () => {
  it("transfers the code exactly, with the same Message-ID at every try", async () => {
    const { server, received } = smtpServer();
    const port = await listen(server);
    const { sendMail } = await loadModules({ MAIL_MODE: "smtp", SMTP_URL: `smtp://127.0.0.1:${port}` });
    const code = `.From =3D ${"LONG-".repeat(40)}密`;
    await sendMail(createMail({ text: `Code\n\n${code}\n` }));
    await sendMail(createMail({ text: `Code\n\n${code}\n` }));
    server.close();
    expect(received).toHaveLength(2);
    expect(received[0]).toMatch(/^Reply-To: support@passlane\.example\r?$/im);
    const ids = received.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1]);
    expect(ids[0]).toMatch(/^<[0-9a-f]{40}@passlane\.example>$/);
    expect(ids[1]).toBe(ids[0]);
    const part = received[0]!
      .split(/\r\n--/)[1]!
      .split("\r\n\r\n")
      .slice(1)
      .join("\r\n\r\n");
    const bytes = part
      .replace(/=\r\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    expect(Buffer.from(bytes, "latin1").toString("utf8").split(/\r?\n/)).toContain(code);
  });

  it("distinguishes a permanent failure of the address from a temporary one", async () => {
    for (const [response, permanent] of [
      ["550 no such user", true],
      ["450 try later", false],
    ] as const) {
      const { server } = smtpServer(response);
      const port = await listen(server);
      const { sendMail, UndeliverableEmailError } = await loadModules({
        MAIL_MODE: "smtp",
        SMTP_URL: `smtp://127.0.0.1:${port}`,
      });
      const error = await sendMail(createMail()).catch((cause: unknown) => cause);
      server.close();
      expect(error).toBeInstanceOf(Error);
      expect(error instanceof UndeliverableEmailError).toBe(permanent);
    }
  });
});
