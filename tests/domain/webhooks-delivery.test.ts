import { spawn } from "node:child_process";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeDatabase, db, transaction } from "@/db/client";
import { createMerchant } from "@/db/factories/merchants";
import { createWebhookEndpoint } from "@/db/factories/webhooks";
import { WEBHOOK_EXAMPLE } from "@/lib/merchants/developers/rules";
import { env } from "@/lib/platform/env";
import { PUBLIC_NETWORK } from "@/lib/platform/http/resolve-address";
import { deleteOldMessages } from "@/lib/webhooks/delete-old-messages";
import { dispatchWebhooks } from "@/lib/webhooks/delivery/dispatch-webhooks";
import { postMessage } from "@/lib/webhooks/delivery/post-message";
import { sendWebhooks } from "@/lib/webhooks/delivery/send-webhooks";
import { recordWebhookEvent } from "@/lib/webhooks/record-webhook-event";
import { ANSWER_BYTES, ATTEMPTS_AT_ONCE } from "@/lib/webhooks/rules";
import { rounds } from "../setup/rounds";
import { type Receiver, startReceiver } from "../setup/webhook-receiver";

let receiver: Receiver;
let merchant: { id: string };
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(async () => {
  merchant = await createMerchant();
});
afterEach(async () => {
  receiver.state.respond = (response) => response.end();
  await db.execute(sql`update shop_clock set shift = '0'`);
});
/** The outcome of each trial, printed as a table. */
const shown: [trial: string, outcome: string][] = [];
afterAll(async () => {
  console.log(
    ["webhooks", ...shown.map(([trial, outcome]) => `  ${trial.padEnd(28)} ${outcome}`)].join("\n"),
  );
  await receiver.stop();
  await closeDatabase();
});

const open = (name: string) => createWebhookEndpoint(merchant, { url: receiver.url(name) });
async function happen(count: number, about: (n: number) => string): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await transaction((tx) =>
      recordWebhookEvent(tx, {
        merchantId: merchant.id,
        type: "payout.sent",
        about: about(n),
        data: { payout_id: String(n), amount: 1, currency: "USD" },
      }),
    );
}
const attemptsOf = (endpointId: string) =>
  db.execute<{ status: number | null; error: string | null; answer: string; state: string }>(sql`
    select a.status, a.error, a.answer, d.state from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
    where d.endpoint_id = ${endpointId} order by a.id`);
const statesOf = async (endpointId: string) =>
  (
    await db.execute<{ state: string }>(
      sql`select state from webhook_deliveries where endpoint_id = ${endpointId} order by id`,
    )
  ).map(({ state }) => state);

describe("a receiver", () => {
  const refused = { late: "timeout", never: "timeout", closes: "connection", breaks: "connection" };
  it.each(Object.entries(refused))("that fails with “%s” counts as unanswered", async (kind, error) => {
    receiver.state.respond = (response, _, request) => {
      if (kind === "closes") request.socket.destroy();
      if (kind === "breaks") {
        response.writeHead(200, { "content-length": "100" }).write("half");
        setTimeout(() => request.socket.destroy(), 20);
      }
      if (kind === "late") setTimeout(() => response.end(), 600);
    };
    const url = receiver.url(kind);
    const message = { url, headers: {}, body: JSON.stringify({ type: "x", data: {} }) };
    expect(await postMessage(message, PUBLIC_NETWORK, 300)).toMatchObject({ status: null, error });
    shown.push([`receiver ${kind}`, `no answer (${error}), sent again`]);
  });

  it("that answers 500 and then 200 gets the message twice, under one id", async () => {
    const endpoint = await open("again");
    await happen(1, () => "payout:1");
    receiver.state.respond = (response) =>
      receiver.of("again").length === 1 ? response.writeHead(500).end() : response.end();
    await sendWebhooks(endpoint.id);
    await db.execute(sql`update shop_clock set shift = '6 seconds'`);
    await sendWebhooks(endpoint.id);
    expect(receiver.of("again").map(({ id }) => id)).toEqual(Array(2).fill(receiver.of("again")[0]!.id));
    expect(await statesOf(endpoint.id)).toEqual(["delivered"]);
    shown.push(["receiver gets it twice", "one id, delivered once"]);
  });

  it("that answers 410 gets nothing more", async () => {
    const endpoint = await open("gone");
    await happen(2, () => "payout:1");
    receiver.state.respond = (response) => response.writeHead(410).end();
    await sendWebhooks(endpoint.id);
    await db.execute(sql`update shop_clock set shift = '6 seconds'`);
    await sendWebhooks(endpoint.id);
    expect(receiver.of("gone")).toHaveLength(1);
    const [{ disabled }] = (await db.execute<{ disabled: boolean }>(
      sql`select disabled_at is not null as disabled from webhook_endpoints where id = ${endpoint.id}`,
    )) as unknown as [{ disabled: boolean }];
    expect(disabled).toBe(true);
    shown.push(["receiver answers 410", "endpoint disabled, nothing more is sent"]);
  });

  it("that redirects is not followed", async () => {
    const endpoint = await open("redirects");
    await happen(1, () => "payout:1");
    receiver.state.respond = (response) =>
      response.writeHead(307, { location: receiver.url("target") }).end();
    await sendWebhooks(endpoint.id);
    expect(await attemptsOf(endpoint.id)).toMatchObject([{ status: 307, state: "waiting" }]);
    expect(receiver.of("target")).toEqual([]);
    shown.push(["receiver redirects", "not followed, sent again"]);
  });

  it.each([
    ["https://10.0.0.1/", "address"],
    ["https://[::ffff:127.0.0.1]/", "address"],
    ["http://receiver.example/", "address"],
    ["https://no-such-name.invalid/", "name"],
  ] as const)("at %s is never connected to", async (url, error) => {
    const endpoint = await createWebhookEndpoint(merchant, { url });
    await happen(1, () => "payout:1");
    await sendWebhooks(endpoint.id, { ...PUBLIC_NETWORK, lookUp: async () => [] });
    expect(await attemptsOf(endpoint.id)).toMatchObject([{ status: null, error, state: "waiting" }]);
    shown.push([url, `never connected to (${error})`]);
  });

  it("with a long answer has its first kilobyte stored, without control characters", async () => {
    const endpoint = await open("long");
    await happen(1, () => "payout:1");
    receiver.state.respond = (response) => response.end(`a\0b${"x".repeat(5_000_000)}`);
    await sendWebhooks(endpoint.id);
    const [attempt] = await attemptsOf(endpoint.id);
    expect(attempt!.answer.startsWith("abx")).toBe(true);
    expect(attempt!.answer.length).toBeLessThanOrEqual(ANSWER_BYTES);
    expect(attempt!.status).toBe(200);
  });
});

it("the example receiver on the developers page accepts signed messages only", async () => {
  const endpoint = await open("example");
  const script = WEBHOOK_EXAMPLE.replace(
    "listen(8080)",
    "listen(0, '127.0.0.1', function () { console.log('port ' + this.address().port) })",
  );
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, PASSLANE_WEBHOOK_SECRET: endpoint.secret },
  });
  const lines: string[] = [];
  child.stdout.on("data", (text: Buffer) => lines.push(...text.toString().split("\n")));
  const portOf = () => lines.find((line) => line.startsWith("port "))?.slice(5);
  await expect.poll(portOf, { timeout: 30_000 }).toBeDefined();
  await happen(1, () => "payout:1");
  receiver.state.respond = async (response, { body, headers }) => {
    const { host: _, connection: __, ...sent } = headers;
    const send = (text: string) =>
      fetch(`http://127.0.0.1:${portOf()}/`, { method: "POST", headers: sent, body: text });
    const [forged, taken] = [await send(body.replace("payout", "pay0ut")), await send(body)];
    response.end(`${forged.status} ${taken.status}`);
  };
  await sendWebhooks(endpoint.id);
  child.kill();
  expect(await attemptsOf(endpoint.id)).toMatchObject([{ answer: "400 200" }]);
  expect(lines.join(" ")).toContain("payout.sent");
});

describe("deliveries", () => {
  it("keep the order of each object under failures, and never run more than four at once", async () => {
    const endpoint = await open("order");
    const objects = 6;
    await happen(rounds(60, 30), (n) => `payout:${n % objects}`);
    let [running, most, calls] = [0, 0, 0];
    receiver.state.respond = (response) => {
      running += 1;
      most = Math.max(most, running);
      calls += 1;
      const fails = calls % 5 === 0;
      setTimeout(() => {
        running -= 1;
        response.writeHead(fails ? 500 : 200).end();
      }, 10);
    };
    for (let n = 0; (await statesOf(endpoint.id)).includes("waiting") && n < 60; n += 1) {
      await Promise.all([sendWebhooks(endpoint.id), sendWebhooks(endpoint.id)]);
      await db.execute(sql`update shop_clock set shift = shift + '31 minutes'`);
    }
    expect(new Set(await statesOf(endpoint.id))).toEqual(new Set(["delivered"]));
    expect(most).toBeLessThanOrEqual(ATTEMPTS_AT_ONCE);
    for (let object = 0; object < objects; object += 1) {
      const numbers = receiver
        .of("order")
        .map(({ data }) => Number(data.payout_id))
        .filter((n) => n % objects === object);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  });

  it("to a failing endpoint use other worker slots than the rest", async () => {
    const [slow, healthy] = [await open("slow"), await open("healthy")];
    receiver.state.respond = (response, { query }) =>
      query === "slow" ? response.writeHead(500).end() : response.end();
    await happen(1, () => "payout:1");
    for (const { id } of [slow, healthy]) await sendWebhooks(id);
    await db.execute(sql`update shop_clock set shift = '10 seconds'`);
    await happen(1, () => "payout:2");
    await dispatchWebhooks();
    const jobs = await db.execute<{ name: string; endpoint: string }>(sql`
      select j.task_identifier as name, j.key as endpoint from graphile_worker.jobs j
      where j.key in (${`webhooks:${slow.id}`}, ${`webhooks:${healthy.id}`})`);
    expect(Object.fromEntries(jobs.map(({ name, endpoint }) => [endpoint, name]))).toEqual({
      [`webhooks:${slow.id}`]: "send-slow-webhooks",
      [`webhooks:${healthy.id}`]: "send-webhooks",
    });
  });

  it("are deleted after 30 days with their messages", async () => {
    const endpoint = await open("old");
    await happen(2, () => "payout:1");
    await sendWebhooks(endpoint.id);
    expect(await deleteOldMessages()).toBe(0);
    await db.execute(sql`update shop_clock set shift = '31 days'`);
    await happen(1, () => "payout:1");
    expect(await deleteOldMessages()).toBeGreaterThanOrEqual(2);
    expect(await statesOf(endpoint.id)).toEqual(["waiting"]);
  });
});

describe("a killed process", () => {
  /**
   * Sends due deliveries in a process that is killed at a write to Postgres or the receiver. Returns its writes, null
   * when killed.
   */
  async function sendInProcess(
    endpointId: string,
    at: number,
    when: "before" | "after",
  ): Promise<number | null> {
    const ports = [new URL(env().DATABASE_URL).port, receiver.port].join(",");
    const child = spawn(
      process.execPath,
      [
        ...["--import", "tsx", "--import", "./lab/faults/kill-at-write.mjs"],
        ...["tests/setup/webhook-process.ts", endpointId, String(at), when],
      ],
      {
        stdio: ["ignore", "ignore", "inherit", "ipc"],
        env: { ...process.env, APP_URL: env().APP_URL, KILL_PORTS: ports } as NodeJS.ProcessEnv,
      },
    );
    let writes: number | null = null;
    child.on("message", (message: { writes: number }) => {
      writes = message.writes;
    });
    await new Promise((done) => child.once("exit", done));
    return writes;
  }

  it("at any of its writes loses nothing, sends nothing out of order, and repeats under the same id", async () => {
    const endpoint = await open("killed");
    const trial = async (at: number, when: "before" | "after") => {
      const start = receiver.received.length;
      await happen(3, () => "payout:1");
      const writes = await sendInProcess(endpoint.id, at, when);
      // The claim of the killed process has ended.
      await db.execute(sql`update shop_clock set shift = shift + '31 seconds'`);
      await sendWebhooks(endpoint.id);
      const ids = receiver.received.slice(start).map(({ id }) => id);
      const numbers = receiver.received.slice(start).map(({ data }) => Number(data.payout_id));
      expect(new Set(ids).size, `write ${at}, ${when}`).toBe(3);
      expect(numbers, `write ${at}, ${when}`).toEqual([...numbers].sort((a, b) => a - b));
      expect(new Set(await statesOf(endpoint.id))).toEqual(new Set(["delivered"]));
      return writes;
    };
    const writes = (await trial(0, "before"))!;
    expect(writes).toBeGreaterThan(10);
    // Each message is sent with the same writes, so killing the process before and after each write of the first one
    // covers all.
    const points = Array.from({ length: Math.ceil(writes / 2) }, (_, i) => i + 1);
    const tried = points.filter((n) => n % rounds(1, 4) === 0);
    for (const at of tried) expect(await trial(at, at % 2 ? "before" : "after")).toBeNull();
    shown.push([
      `kill -9 at ${tried.length} of ${points.length} writes`,
      "nothing lost, nothing out of order, repeats have the same id",
    ]);
  }, 600_000);
});
