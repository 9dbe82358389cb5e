import Stripe from "stripe";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { InvalidWebhookError } from "@/lib/platform/stripe/errors";
import { parseWebhook } from "@/lib/platform/stripe/webhook";

const SECRET = "whsec_0123456789abcdef0123456789abcdef";
const settings = vi.hoisted(() => ({
  PAYMENT_MODE: "sandbox",
  STRIPE_WEBHOOK_SECRET: "",
  LOG_LEVEL: "silent",
}));
vi.mock("@/lib/platform/env", () => ({ env: () => settings }));

const now = () => Math.floor(Date.now() / 1000);
const intent = { id: "pi_1", object: "payment_intent" };
const createEvent = (object: object = intent, more: object = {}) => ({
  id: "evt_1",
  object: "event",
  type: "payment_intent.succeeded",
  api_version: Stripe.API_VERSION,
  created: now(),
  livemode: false,
  data: { object },
  ...more,
});
const sign = (payload: string, { timestamp = now(), secret = SECRET } = {}) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
const signed = (event: object, options = {}) => {
  const payload = JSON.stringify(event);
  return [Buffer.from(payload), sign(payload, options)] as const;
};
const rejectionReason = (body: Uint8Array | string, header: string | null) => {
  try {
    parseWebhook(body, header);
  } catch (error) {
    if (error instanceof InvalidWebhookError) return error.reason;
    throw error;
  }
  return "accepted";
};

beforeEach(() => Object.assign(settings, { PAYMENT_MODE: "sandbox", STRIPE_WEBHOOK_SECRET: SECRET }));

describe("parseWebhook", () => {
  it("returns the object and the intent of the event", () => {
    expect(parseWebhook(...signed(createEvent()))).toMatchObject({
      id: "evt_1",
      type: "payment_intent.succeeded",
      livemode: false,
      objectId: "pi_1",
      objectType: "payment_intent",
      intentId: "pi_1",
      apiVersion: Stripe.API_VERSION,
    });
  });

  it("returns the intent of a refund, given as an id or as an object", () => {
    const refund = { id: "re_1", object: "refund" };
    for (const payment_intent of ["pi_2", { id: "pi_2" }]) {
      const event = parseWebhook(...signed(createEvent({ ...refund, payment_intent })));
      expect(event).toMatchObject({ objectId: "re_1", objectType: "refund", intentId: "pi_2" });
    }
    expect(parseWebhook(...signed(createEvent({ object: "balance" })))).toMatchObject({
      objectId: "",
      intentId: null,
    });
  });

  it("rejects a missing, wrong or foreign signature, and a body with any byte changed", () => {
    const [body, header] = signed(createEvent());
    expect(rejectionReason(body, null)).toBe("signature");
    expect(rejectionReason(body, "nonsense")).toBe("signature");
    expect(
      rejectionReason(...signed(createEvent(), { secret: "whsec_another_secret_of_the_same_length" })),
    ).toBe("signature");
    expect(rejectionReason("", header)).toBe("signature");
    const accepted = [...body.keys()].filter((index) => {
      const changed = Buffer.from(body);
      changed[index] = (changed[index] ?? 0) ^ 1;
      return rejectionReason(changed, header) !== "signature";
    });
    expect(accepted, `${body.length} changed bodies`).toEqual([]);
    expect(rejectionReason(body, header.replace(/^t=\d+/, `t=${now() + 1}`))).toBe("signature");
  });

  it("rejects a signature more than 300 s old or in the future", () => {
    const at = (seconds: number) => rejectionReason(...signed(createEvent(), { timestamp: now() + seconds }));
    expect([-290, -1, 1, 290].map(at)).toEqual(Array(4).fill("accepted"));
    expect([-310, -86_400, 310, 86_400].map(at)).toEqual(Array(4).fill("age"));
  });

  it("rejects an event of the other livemode, in all three modes", () => {
    const results = ["sandbox", "test", "live"].map((mode) => {
      settings.PAYMENT_MODE = mode;
      return [true, false].map((livemode) => rejectionReason(...signed(createEvent(intent, { livemode }))));
    });
    expect(results).toEqual([
      ["livemode", "accepted"],
      ["livemode", "accepted"],
      ["accepted", "livemode"],
    ]);
  });

  it("accepts 256 KiB and rejects one byte more", () => {
    const maxNoteLength = 256 * 1024 - JSON.stringify(createEvent(intent, { note: "" })).length;
    expect(rejectionReason(...signed(createEvent(intent, { note: "x".repeat(maxNoteLength) })))).toBe(
      "accepted",
    );
    expect(rejectionReason(...signed(createEvent(intent, { note: "x".repeat(maxNoteLength + 1) })))).toBe(
      "size",
    );
  });

  it("accepts an event of another API version with a warning, because the object is retrieved anyway", () => {
    const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
    expect(parseWebhook(...signed(createEvent()))).toMatchObject({ apiVersion: Stripe.API_VERSION });
    expect(warn).not.toHaveBeenCalled();
    const other = parseWebhook(...signed(createEvent(intent, { api_version: "2019-02-19" })));
    expect(other).toMatchObject({ id: "evt_1", intentId: "pi_1", apiVersion: "2019-02-19" });
    expect(warn).toHaveBeenCalledWith(
      { event: "evt_1", apiVersion: "2019-02-19" },
      "webhook of another API version",
    );
    warn.mockRestore();
  });

  it("rejects a signed body that is not an event", () => {
    expect(rejectionReason(...signed({ hello: "world" }))).toBe("shape");
    expect(rejectionReason(...signed(createEvent(intent, { id: 5 })))).toBe("shape");
    expect(rejectionReason("{", sign("{"))).toBe("shape");
    expect(rejectionReason("null", sign("null"))).toBe("shape");
  });
});
