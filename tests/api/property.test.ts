import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closeDatabase } from "@/db/client";
import { jsonSchema } from "@/lib/platform/api/openapi";
import { fitting, type Known, resolved, type Shape, spoilt } from "./arbitrary";
import {
  type Asked,
  ask,
  changedBy,
  type EveryCall,
  everyCall,
  flawsOf,
  takeChanges,
  watchChanges,
} from "./every-call";
import { MALFORMED, ODD_QUERIES, oddHeaders } from "./malformed";
import { createGoods, createWorld, type Goods, type World } from "./world";

vi.setConfig({ testTimeout: 300_000 });

/*
 * Every call is given bodies made from its own shape, and broken ones: it never fails with an error of ours, always
 * answers in the envelope, refuses only with what its document names, and a refusal changes nothing.
 * `FC_RUNS=500 FC_SEED=7 npx vitest run --project api tests/api/property.test.ts` looks longer, or elsewhere.
 */
const SEED = Number(process.env.FC_SEED ?? 20261121);
const RUNS = Number(process.env.FC_RUNS ?? 10);

const calls = await everyCall();
const counted = { requests: 0, accepted: 0, refused: 0 };
const tally = new Map<string, { accepted: number; refused: number }>();
let goods: Goods;
let me: World;
let staff: World;
let other: World;

beforeAll(async () => {
  goods = await createGoods();
  [me, other] = [await createWorld(goods), await createWorld(goods)];
  staff = await createWorld(goods, "staff");
  await watchChanges();
}, 60_000);
afterAll(async () => {
  const never = [...tally].filter(([, { accepted }]) => accepted === 0).map(([name]) => name);
  console.log(`every call: ${calls.length} handlers, seed ${SEED}, ${RUNS} runs, ${JSON.stringify(counted)}`);
  console.log(`never accepted: ${never.join(", ") || "none"}`);
  await closeDatabase();
});

/** What exists, by the names that the calls use for it; looked up when a value is made, for the world may be a new one. */
function known(): Known {
  return {
    order_id: [me.order, me.delivered, other.order],
    order_product_id: [me.line, me.deliveredLine, other.line],
    cart_id: [me.cart, other.cart],
    cart_ids: [[me.cart], [me.cart, other.cart]],
    cart_record_ids: [[me.cart], [me.cart, me.cart]],
    library_id: [me.key, other.key],
    session_id: [me.session, other.session],
    address_id: [me.address, other.address],
    payment_id: [me.card, other.card],
    payment_method_id: [me.card, other.card],
    setup_id: [me.setup],
    client_secret: [me.secret, me.setupSecret, other.secret],
    coupon_code: [me.coupon, other.coupon],
    verification_id: [me.verification],
    refresh_token: [me.refreshToken],
    user_email: [me.email, "nobody@example.com"],
    email: [me.email, other.email, "nobody@example.com"],
    send_email: [me.email],
    user_password: [me.password, "wrong horse battery"],
    password: [me.password, "wrong horse battery"],
    confirm: [me.email],
    user_id: [me.id, me.id, me.id, ""],
    update_user_id: [me.id],
    create_user_id: [me.id],
    product_id: [goods.productId],
    vip_id: [goods.planId, goods.soldOutPlanId, goods.cartPlanId],
    id: [goods.productId, goods.slug],
    currency: ["usd"],
    productUrl: ["https://example.com/app"],
    phoneNum: ["+14155550123"],
    new_phone: ["+14155550123"],
    in_stock: [true, "true"],
    invited_account: [other.inviteCode, me.inviteCode],
  };
}

const shapeOf = (call: EveryCall, place: "params" | "query" | "body"): Shape => {
  const schema = call.declaration[place];
  return schema ? (jsonSchema(schema, "input") as Shape) : { type: "object" };
};
const rightInput = (call: EveryCall, place: "params" | "query" | "body") =>
  fitting(shapeOf(call, place), "", known());

/** A text that an address can carry. */
const textOf = (value: unknown) =>
  (typeof value === "object" ? JSON.stringify(value) : String(value)).toWellFormed();
const pairsOf = (input: unknown) =>
  new URLSearchParams(
    Object.entries((input ?? {}) as object).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name.toWellFormed(), textOf(one)]),
    ),
  ).toString();
const paramsOf = (input: unknown) =>
  Object.fromEntries(Object.entries((input ?? {}) as object).map(([name, value]) => [name, textOf(value)]));

type Who = "guest" | "bearer" | "cookie";
const who = (call: EveryCall) =>
  call.declaration.access === "public"
    ? fc.constantFrom<Who>("guest", "bearer", "cookie")
    : fc.constantFrom<Who>("bearer", "bearer", "cookie", "bearer", "guest");

function headersOf(call: EveryCall, as: Who): Record<string, string> {
  const actor = call.declaration.access === "staff" ? staff : me;
  if (as === "bearer") return { authorization: actor.bearer };
  return as === "cookie" ? { cookie: actor.cookie, origin: "http://localhost:3000" } : {};
}

/** The request as it is sent: what exists stands in its places. */
function sentOf(made: { params: unknown; query: unknown; body: unknown }): Asked {
  const real = known();
  return {
    params: paramsOf(resolved(made.params, real)),
    query: typeof made.query === "string" ? made.query : pairsOf(resolved(made.query, real)),
    body: resolved(made.body, real),
  };
}

/** Sends it and looks at the answer; whoever signed out or deleted the account gets a successor. */
async function hold(call: EveryCall, asked: Asked): Promise<void> {
  await takeChanges();
  const answer = await ask(call, asked);
  const changes = changedBy(call, await takeChanges());
  const refused = answer.status >= 400;
  counted.requests++;
  counted[refused ? "refused" : "accepted"]++;
  const own = tally.get(call.name) ?? { accepted: 0, refused: 0 };
  own[refused ? "refused" : "accepted"]++;
  tally.set(call.name, own);
  expect(flawsOf(call, answer), answer.text.slice(0, 300)).toEqual([]);
  if (refused) expect(changes, answer.text.slice(0, 300)).toEqual([]);
  if (!refused && /^\/(auth|order|cart|payment)/.test(call.path) && call.write) me = await createWorld(goods);
}

const property = <T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  run: (...values: T) => Promise<void>,
  share = 1,
) =>
  fc.assert(fc.asyncProperty(...arbitraries, run), {
    seed: SEED,
    numRuns: Math.max(1, Math.ceil(RUNS * share)),
    interruptAfterTimeLimit: 240_000,
  });

const shown = calls.filter(({ declaration }) => !declaration.raw);
const writes = shown.filter(({ write }) => write);

describe("every call", () => {
  it.each(shown)("$name: inputs of its own shape", async (call) => {
    await property(
      [
        rightInput(call, "params"),
        rightInput(call, "query"),
        rightInput(call, "body"),
        who(call),
        fc.constantFrom("json", "json", "form"),
      ],
      async (params, query, body, as, form) => {
        const headers = headersOf(call, as);
        const sent = sentOf({ params, query, body });
        if (form === "json" || !call.write || as === "cookie") return hold(call, { ...sent, headers });
        const type = { "content-type": "application/x-www-form-urlencoded" };
        await hold(call, { ...sent, raw: pairsOf(sent.body), headers: { ...headers, ...type } });
      },
    );
  });

  it.each(writes)("$name: bodies with one thing wrong", async (call) => {
    await property(
      [rightInput(call, "params"), rightInput(call, "query"), spoilt(rightInput(call, "body")), who(call)],
      (params, query, body, as) =>
        hold(call, { ...sentOf({ params, query, body }), headers: headersOf(call, as) }),
    );
  });

  it.each(shown)("$name: queries and paths with one thing wrong", async (call) => {
    await property(
      [
        spoilt(rightInput(call, "params")),
        spoilt(rightInput(call, "query")),
        rightInput(call, "body"),
        who(call),
      ],
      (params, query, body, as) =>
        hold(call, { ...sentOf({ params, query, body }), headers: headersOf(call, as) }),
      0.5,
    );
  });

  it.each(calls)("$name: headers and queries that no shape describes", async (call) => {
    await property(
      [
        rightInput(call, "params"),
        fc.constantFrom(...ODD_QUERIES),
        rightInput(call, "body"),
        oddHeaders,
        who(call),
      ],
      (params, query, body, odd, as) =>
        hold(call, { ...sentOf({ params, query, body }), headers: { ...headersOf(call, as), ...odd } }),
      0.5,
    );
  });

  it.each(calls.filter(({ write }) => write))("$name: requests that are no body at all", async (call) => {
    for (const { raw, headers } of MALFORMED)
      await hold(call, { raw, headers: { ...headersOf(call, "bearer"), ...headers } });
  });
});
