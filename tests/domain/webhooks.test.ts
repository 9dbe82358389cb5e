import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase, db, transaction } from "@/db/client";
import { createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import { env } from "@/lib/platform/env";
import { errorMessage } from "@/lib/platform/error-messages";
import { isBlockedAddress, type Network, resolveAddress } from "@/lib/platform/http/resolve-address";
import { dispatchWebhooks } from "@/lib/webhooks/delivery/dispatch-webhooks";
import { postMessage } from "@/lib/webhooks/delivery/post-message";
import { sendWebhooks } from "@/lib/webhooks/delivery/send-webhooks";
import { createEndpoint } from "@/lib/webhooks/endpoints/create-endpoint";
import { listAttempts } from "@/lib/webhooks/endpoints/list-attempts";
import { getEndpoint, listEndpoints } from "@/lib/webhooks/endpoints/list-endpoints";
import { redeliverMessage } from "@/lib/webhooks/endpoints/redeliver-message";
import { removeEndpoint } from "@/lib/webhooks/endpoints/remove-endpoint";
import { resealSecrets } from "@/lib/webhooks/endpoints/reseal-secrets";
import { rotateSecret } from "@/lib/webhooks/endpoints/rotate-secret";
import { saveEndpoint } from "@/lib/webhooks/endpoints/save-endpoint";
import { sendTest } from "@/lib/webhooks/endpoints/send-test";
import { recordWebhookEvent } from "@/lib/webhooks/record-webhook-event";
import { ENDPOINTS_MAX, RETRY_SECONDS, WEBHOOK_EVENTS } from "@/lib/webhooks/rules";
import { getErrorName } from "../setup/error-name";
import { type Receiver, startReceiver } from "../setup/webhook-receiver";

let receiver: Receiver;
let seller: Seller;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  receiver.state.respond = (response) => response.end("thanks");
  await db.execute(sql`update shop_clock set shift = '0'`);
});
afterAll(async () => {
  await receiver.stop();
  await closeDatabase();
});

let names = 0;
/** Creates an endpoint of a new merchant at the receiver. */
async function open() {
  names += 1;
  const name = `n${names}`;
  seller = await createSeller(await createMerchant());
  const input = { name, url: receiver.url(name), events: [...WEBHOOK_EVENTS] };
  return { name, ...(await createEndpoint(seller.member, input)) };
}
let payouts = 0;
/** Records an event about an object of the merchant. */
async function happen(about = "payout:p1"): Promise<string> {
  payouts += 1;
  const payout_id = `pay_${payouts}`;
  const data = { payout_id, amount: 12.5, currency: "USD" };
  await transaction((tx) =>
    recordWebhookEvent(tx, { merchantId: seller.merchant.id, type: "payout.sent", about, data }),
  );
  return payout_id;
}
const ahead = (seconds: number) =>
  db.execute(sql`update shop_clock set shift = shift + make_interval(secs => ${seconds})`);
const payoutsOf = (name: string) => receiver.of(name).map(({ data }) => data.payout_id);
const log = async (endpointId: string) =>
  (await listAttempts(seller.member, endpointId, { cursor: undefined })).items;

describe("a message", () => {
  it("is signed as Standard Webhooks describes, by the new and the former secret for a day", async () => {
    const endpoint = await open();
    await happen();
    await sendWebhooks(endpoint.endpoint_id);
    const [first] = receiver.of(endpoint.name);
    expect(new Webhook(endpoint.secret).verify(first!.body, first!.headers)).toMatchObject({
      type: "payout.sent",
      data: { amount: 12.5 },
    });
    const renewed = await rotateSecret(seller.member, endpoint.endpoint_id);
    const verifies = async (secret: string) => {
      await happen();
      await sendWebhooks(endpoint.endpoint_id);
      const { body, headers } = receiver.of(endpoint.name).at(-1)!;
      try {
        new Webhook(secret).verify(body, headers);
        return true;
      } catch {
        return false;
      }
    };
    expect([await verifies(endpoint.secret), await verifies(renewed.secret)]).toEqual([true, true]);
    await ahead(25 * 3_600);
    expect([await verifies(endpoint.secret), await verifies(renewed.secret)]).toEqual([false, true]);
  });

  it("that fails is retried with the same id, while later messages about the same object wait", async () => {
    const endpoint = await open();
    const [first, second] = [await happen("payout:a"), await happen("payout:a")];
    const other = await happen("payout:b");
    receiver.state.respond = (response, { data }) =>
      data.payout_id === first && receiver.of(endpoint.name).length < 3
        ? response.writeHead(500).end("not now")
        : response.end();
    await sendWebhooks(endpoint.endpoint_id);
    expect(payoutsOf(endpoint.name).sort()).toEqual([first, other].sort());
    expect(await dispatchWebhooks()).toBe(0);
    await ahead(RETRY_SECONDS[0] + 1);
    await sendWebhooks(endpoint.endpoint_id);
    expect(payoutsOf(endpoint.name).slice(2)).toEqual([first, second]);
    const ids = receiver.of(endpoint.name).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    const [, , oldest] = await log(endpoint.endpoint_id);
    expect(oldest).toMatchObject({
      state: "delivered",
      attempts: [{ status: 500, answer: "not now" }, { status: 200 }],
    });
  });

  it("has failed after its last attempt, and can then be sent again manually", async () => {
    const endpoint = await open();
    await happen();
    receiver.state.respond = (response) => response.writeHead(503).end();
    await sendWebhooks(endpoint.endpoint_id);
    for (const seconds of RETRY_SECONDS) {
      await ahead(seconds - 1);
      expect(await sendWebhooks(endpoint.endpoint_id)).toBe(0);
      await ahead(2);
      expect(await sendWebhooks(endpoint.endpoint_id)).toBe(1);
    }
    const [failed] = await log(endpoint.endpoint_id);
    expect(failed).toMatchObject({ state: "failed", next_at: null });
    expect(failed!.attempts).toHaveLength(RETRY_SECONDS.length + 1);
    receiver.state.respond = (response) => response.end();
    await redeliverMessage(seller.member, endpoint.endpoint_id, failed!.message_id);
    await sendWebhooks(endpoint.endpoint_id);
    expect((await log(endpoint.endpoint_id))[0]!.state).toBe("delivered");
  });
});

it("both secrets of an endpoint are re-encrypted under the new vault key", async () => {
  const endpoint = await open();
  await rotateSecret(seller.member, endpoint.endpoint_id);
  const { VAULT_KEY: before } = env();
  const key = randomBytes(32).toString("base64");
  Object.assign(env(), { VAULT_KEY: key, VAULT_KEYS_OLD: [before] });
  expect(await resealSecrets()).toBeGreaterThan(0);
  expect(await resealSecrets()).toBe(0);
  Object.assign(env(), { VAULT_KEYS_OLD: [] });
  await happen();
  await sendWebhooks(endpoint.endpoint_id);
  const { body, headers } = receiver.of(endpoint.name)[0]!;
  expect(new Webhook(endpoint.secret).verify(body, headers)).toMatchObject({ type: "payout.sent" });
  Object.assign(env(), { VAULT_KEY: before, VAULT_KEYS_OLD: [key] });
  await resealSecrets();
  Object.assign(env(), { VAULT_KEYS_OLD: [] });
});

describe("an endpoint", () => {
  it("that answers 410 is disabled immediately, and its owners are mailed", async () => {
    const endpoint = await open();
    await happen();
    receiver.state.respond = (response) => response.writeHead(410).end();
    await sendWebhooks(endpoint.endpoint_id);
    expect(await getEndpoint(seller.member, endpoint.endpoint_id)).toMatchObject({
      state: "disabled",
      disabled_reason: "gone",
    });
    const mails = await db.execute(sql`
      select from mails where event = 'webhook-disabled' and to_address = ${seller.email}`);
    expect(mails).toHaveLength(1);
    await happen();
    expect(await log(endpoint.endpoint_id)).toHaveLength(1);
  });

  it("that failed for five days is disabled, and gets the waiting messages once it is enabled again", async () => {
    const endpoint = await open();
    receiver.state.respond = (response) => response.writeHead(500).end();
    await happen("payout:a");
    await sendWebhooks(endpoint.endpoint_id);
    await ahead(4.9 * 86_400);
    await happen("payout:b");
    await sendWebhooks(endpoint.endpoint_id);
    expect((await getEndpoint(seller.member, endpoint.endpoint_id)).state).toBe("enabled");
    await ahead(0.2 * 86_400);
    await sendWebhooks(endpoint.endpoint_id);
    const { name, url, events, state, disabled_reason } = await getEndpoint(
      seller.member,
      endpoint.endpoint_id,
    );
    expect([state, disabled_reason]).toEqual(["disabled", "failing"]);
    receiver.state.respond = (response) => response.end();
    expect(await sendWebhooks(endpoint.endpoint_id)).toBe(0);
    await saveEndpoint(seller.member, endpoint.endpoint_id, { name, url, events, state: "enabled" });
    expect(await sendWebhooks(endpoint.endpoint_id)).toBe(2);
    expect(await getEndpoint(seller.member, endpoint.endpoint_id)).toMatchObject({
      waiting: 0,
      failing_since: null,
    });
  });

  it("can be sent a test, which is tried once and never disables it", async () => {
    const endpoint = await open();
    receiver.state.respond = (response) => response.writeHead(410).end("gone");
    const { message_id } = await sendTest(seller.member, endpoint.endpoint_id);
    await sendWebhooks(endpoint.endpoint_id);
    const [test] = await log(endpoint.endpoint_id);
    expect(test).toMatchObject({ message_id, type: "webhook.test", state: "failed" });
    expect((await getEndpoint(seller.member, endpoint.endpoint_id)).state).toBe("enabled");
  });

  it("of another merchant looks missing, and one above the limit is rejected", async () => {
    const { endpoint_id: id } = await open();
    const other = await createSeller(await createMerchant());
    const input = { name: "x", url: "https://receiver.example/", events: [...WEBHOOK_EVENTS] };
    const calls = [
      () => saveEndpoint(other.member, id, { ...input, state: "disabled" }),
      () => rotateSecret(other.member, id),
      () => removeEndpoint(other.member, id),
      () => sendTest(other.member, id),
      () => redeliverMessage(other.member, id, "msg_1"),
      () => listAttempts(other.member, id, { cursor: undefined }),
    ];
    for (const call of calls) expect(await getErrorName(call())).toBe("webhook_unknown");
    for (let n = 1; n < ENDPOINTS_MAX; n += 1) await createEndpoint(seller.member, input);
    expect(await getErrorName(createEndpoint(seller.member, input))).toBe("webhooks_full");
    await removeEndpoint(seller.member, id);
    await createEndpoint(seller.member, input);
    expect((await listEndpoints(seller.member)).items).toHaveLength(ENDPOINTS_MAX);
  });
});

describe("an address", () => {
  it.each([
    ["http://receiver.example/", "webhook_url_invalid"],
    ["https://user:secret@receiver.example/", "webhook_url_invalid"],
    ["receiver.example", "webhook_url_invalid"],
    ["https://localhost/", "webhook_address"],
    ["https://printer/", "webhook_address"],
    ["https://db.internal/", "webhook_address"],
    ["https://127.0.0.1/", "webhook_address"],
    ["https://0x7f.1/", "webhook_address"],
    ["https://2130706433/", "webhook_address"],
    ["https://169.254.169.254/latest/meta-data", "webhook_address"],
    ["https://[::1]/", "webhook_address"],
    ["https://[::ffff:10.0.0.1]/", "webhook_address"],
    ["https://[fd00:ec2::254]/", "webhook_address"],
  ] as const)("%s is rejected by its name", async (url, error) => {
    const { member } = await createSeller(await createMerchant());
    const refused = createEndpoint(member, { name: "x", url, events: ["sale.created"] });
    await expect(refused).rejects.toMatchObject({
      error,
      issues: [{ path: "url", message: errorMessage(error, "en") }],
    });
  });

  it("is public only outside of private, link-local and provider networks", () => {
    const blocked = ["10.1.2.3", "172.31.0.1", "192.168.1.1", "100.100.100.200", "168.63.129.16", "0.0.0.0"];
    const blocked6 = [
      "::",
      "::1",
      "::7f00:1",
      "::ffff:192.168.0.1",
      "64:ff9b::a00:1",
      "2002:a00:1::",
      "fe80::1",
      "ff02::1",
    ];
    expect([...blocked, ...blocked6, "no address"].filter((address) => !isBlockedAddress(address))).toEqual(
      [],
    );
    const open = ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"];
    expect(open.filter(isBlockedAddress)).toEqual([]);
  });

  it("is refused when one of a name's addresses is not public", async () => {
    const network: Network = {
      lookUp: async () => [
        { address: "8.8.8.8", family: 4 },
        { address: "10.0.0.1", family: 4 },
      ],
      isBlocked: isBlockedAddress,
    };
    expect(await resolveAddress("rebinding.example", network)).toBe("blocked");
  });

  it("is resolved once per attempt, and the connection goes to the checked address", async () => {
    let lookUps = 0;
    const network: Network = {
      // The second answer would lead elsewhere.
      lookUp: async () => [{ address: lookUps++ === 0 ? "127.0.0.1" : "127.0.0.2", family: 4 }],
      isBlocked: () => false,
    };
    const message = { url: `https://rebinding.example:${receiver.port}/`, headers: {}, body: "{}" };
    // The receiver speaks no TLS: that the handshake fails shows that it was reached.
    expect(await postMessage(message, network)).toMatchObject({ status: null, error: "connection" });
    expect(lookUps).toBe(1);
  });
});
