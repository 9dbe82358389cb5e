import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { isMerchantAccess } from "@/lib/platform/api/declaration";
import { jsonSchema } from "@/lib/platform/api/openapi";
import {
  type ApiCall,
  type ApiRequest,
  findResponseProblems,
  listApiCalls,
  recordRowChanges,
  resetLimitsAndTakeChanges,
  sendRequest,
  unintendedChanges,
} from "./all-calls";
import {
  type CatalogFixture,
  createCatalogFixture,
  createSellerFixture,
  createUserFixture,
  type UserFixture,
} from "./fixtures";
import { listIdFields } from "./id-fields";
import { MALFORMED_REQUESTS, UNUSUAL_QUERIES, unusualHeaders } from "./malformed-requests";
import {
  type ExistingValues,
  resolvePlaceholders,
  type Shape,
  validValue,
  withOneDefect,
} from "./schema-values";

/*
 * Every call receives inputs generated from its schema, and invalid ones. It never fails with an internal error, always
 * responds with the envelope, rejects only with declared codes, and a rejection changes no rows.
 * `FC_RUNS=500 FC_SEED=7 npx vitest run --project api tests/api/property.test.ts` runs more cases, or other ones.
 */
const SEED = Number(process.env.FC_SEED ?? 20261121);
const RUNS = Number(process.env.FC_RUNS ?? 10);

const calls = await listApiCalls();
const totals = { requests: 0, accepted: 0, rejected: 0 };
const countsByCall = new Map<string, { accepted: number; rejected: number }>();
let catalog: CatalogFixture;
let owner: UserFixture;
let staff: UserFixture;
let other: UserFixture;
let seller: Awaited<ReturnType<typeof createSellerFixture>>;

beforeAll(async () => {
  catalog = await createCatalogFixture();
  [owner, other] = [await createUserFixture(catalog), await createUserFixture(catalog)];
  staff = await createUserFixture(catalog, { roles: ["admin"] });
  seller = await createSellerFixture(catalog);
  await recordRowChanges();
});
afterAll(async () => {
  const neverAccepted = [...countsByCall].filter(([, { accepted }]) => accepted === 0).map(([name]) => name);
  console.log(`all calls: ${calls.length} handlers, seed ${SEED}, ${RUNS} runs, ${JSON.stringify(totals)}`);
  console.log(`calls without an accepted request: ${neverAccepted.join(", ") || "none"}`);
  await closeDatabase();
});

const isForMerchants = ({ declaration }: ApiCall) => isMerchantAccess(declaration.access);

/** Values of existing records by field name; read when a value is generated, because the fixture may be replaced. */
const existingValues = (call: ApiCall): ExistingValues => ({
  ...sharedValues(),
  ...(isForMerchants(call) && soldValues(call)),
});

/** What the merchant of the call owns, by the call's fields. */
function soldValues(call: ApiCall): ExistingValues {
  const { productId, planId } = seller.sold;
  const owned = listIdFields(call).fields.flatMap(({ name, field }) =>
    field?.kind === "owned" ? [[name, [field.own(seller)]]] : [],
  );
  return { product_id: [productId], vip_id: [planId], plan_id: [planId], ...Object.fromEntries(owned) };
}

function sharedValues(): ExistingValues {
  return {
    order_id: [owner.order, owner.deliveredOrder, other.order],
    order_product_id: [owner.line, owner.deliveredLine, other.line],
    cart_id: [owner.cart, other.cart],
    cart_ids: [[owner.cart], [owner.cart, other.cart]],
    cart_record_ids: [[owner.cart], [owner.cart, owner.cart]],
    library_id: [owner.key, other.key],
    session_id: [owner.session, other.session],
    address_id: [owner.address, other.address],
    payment_id: [owner.card, other.card],
    payment_method_id: [owner.card, other.card],
    setup_id: [owner.setup],
    client_secret: [owner.secret, owner.setupSecret, other.secret],
    coupon_code: [owner.coupon, other.coupon],
    verification_id: [owner.verification],
    refresh_token: [owner.refreshToken],
    user_email: [owner.email, "nobody@example.com"],
    email: [owner.email, other.email, "nobody@example.com"],
    send_email: [owner.email],
    user_password: [owner.password, "wrong horse battery"],
    password: [owner.password, "wrong horse battery"],
    confirm: [owner.email],
    user_id: [owner.id, owner.id, owner.id, ""],
    update_user_id: [owner.id],
    create_user_id: [owner.id],
    product_id: [catalog.productId],
    vip_id: [catalog.planId, catalog.soldOutPlanId, catalog.cartPlanId],
    id: [catalog.productId, catalog.slug],
    currency: ["usd"],
    productUrl: ["https://example.com/app"],
    phoneNum: ["+14155550123"],
    new_phone: ["+14155550123"],
    in_stock: [true, "true"],
    invited_account: [other.inviteCode, owner.inviteCode],
  };
}

const readSchema = (call: ApiCall, place: "params" | "query" | "body"): Shape => {
  const schema = call.declaration[place];
  return schema ? (jsonSchema(schema, "input") as Shape) : { type: "object" };
};
const validInput = (call: ApiCall, place: "params" | "query" | "body") =>
  validValue(readSchema(call, place), "", existingValues(call));

/** Text that a URL can carry. */
const toText = (value: unknown) =>
  (typeof value === "object" ? JSON.stringify(value) : String(value)).toWellFormed();
const toQueryString = (input: unknown) =>
  new URLSearchParams(
    Object.entries((input ?? {}) as object).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name.toWellFormed(), toText(one)]),
    ),
  ).toString();
const toParams = (input: unknown) =>
  Object.fromEntries(Object.entries((input ?? {}) as object).map(([name, value]) => [name, toText(value)]));

type Caller = "guest" | "bearer" | "cookie";
const callerArbitrary = (call: ApiCall) =>
  call.declaration.access === "public"
    ? fc.constantFrom<Caller>("guest", "bearer", "cookie")
    : fc.constantFrom<Caller>("bearer", "bearer", "cookie", "bearer", "guest");

function callerHeaders(call: ApiCall, caller: Caller): Record<string, string> {
  if (caller === "guest") return {};
  const forMerchants = isForMerchants(call);
  const actor = forMerchants ? seller : typeof call.declaration.access === "object" ? staff : owner;
  return {
    ...(caller === "bearer"
      ? { authorization: actor.bearer }
      : { cookie: actor.cookie, origin: "http://localhost:3000" }),
    ...(forMerchants && { "passlane-merchant": seller.sold.merchant.handle }),
  };
}

/** The request with its placeholders resolved. */
function buildRequest(
  call: ApiCall,
  generated: { params: unknown; query: unknown; body: unknown },
): ApiRequest {
  const existing = existingValues(call);
  return {
    params: toParams(resolvePlaceholders(generated.params, existing)),
    query:
      typeof generated.query === "string"
        ? generated.query
        : toQueryString(resolvePlaceholders(generated.query, existing)),
    body: resolvePlaceholders(generated.body, existing),
  };
}

/** Sends the request and checks the response. A successful write gets a new fixture: it may have deleted the account. */
async function sendAndCheck(call: ApiCall, request: ApiRequest): Promise<void> {
  await resetLimitsAndTakeChanges();
  const response = await sendRequest(call, request);
  const changes = unintendedChanges(call, await resetLimitsAndTakeChanges());
  const rejected = response.status >= 400;
  totals.requests++;
  totals[rejected ? "rejected" : "accepted"]++;
  const counts = countsByCall.get(call.name) ?? { accepted: 0, rejected: 0 };
  counts[rejected ? "rejected" : "accepted"]++;
  countsByCall.set(call.name, counts);
  expect(findResponseProblems(call, response), response.text.slice(0, 300)).toEqual([]);
  if (rejected) expect(changes, response.text.slice(0, 300)).toEqual([]);
  // The merchant of the request is the caller's, so that the call itself decides.
  if (isForMerchants(call)) expect(response.envelope?.code).not.toBe("40400");
  if (!rejected && /^\/(auth|order|cart|payment)/.test(call.path) && call.write)
    owner = await createUserFixture(catalog);
  if (!rejected && isForMerchants(call) && call.write) seller = await createSellerFixture(catalog);
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

const jsonCalls = calls.filter(({ declaration }) => !declaration.raw);
const writes = jsonCalls.filter(({ write }) => write);

describe("all calls", () => {
  it.each(jsonCalls)("$name: accepts or cleanly rejects inputs generated from its schema", async (call) => {
    await property(
      [
        validInput(call, "params"),
        validInput(call, "query"),
        validInput(call, "body"),
        callerArbitrary(call),
        fc.constantFrom("json", "json", "form"),
      ],
      async (params, query, body, caller, form) => {
        const headers = callerHeaders(call, caller);
        const request = buildRequest(call, { params, query, body });
        if (form === "json" || !call.write || caller === "cookie")
          return sendAndCheck(call, { ...request, headers });
        const type = { "content-type": "application/x-www-form-urlencoded" };
        await sendAndCheck(call, {
          ...request,
          raw: toQueryString(request.body),
          headers: { ...headers, ...type },
        });
      },
    );
  });

  it.each(writes)("$name: handles bodies with one defect", async (call) => {
    await property(
      [
        validInput(call, "params"),
        validInput(call, "query"),
        withOneDefect(validInput(call, "body")),
        callerArbitrary(call),
      ],
      (params, query, body, caller) =>
        sendAndCheck(call, {
          ...buildRequest(call, { params, query, body }),
          headers: callerHeaders(call, caller),
        }),
    );
  });

  it.each(jsonCalls)("$name: handles queries and paths with one defect", async (call) => {
    await property(
      [
        withOneDefect(validInput(call, "params")),
        withOneDefect(validInput(call, "query")),
        validInput(call, "body"),
        callerArbitrary(call),
      ],
      (params, query, body, caller) =>
        sendAndCheck(call, {
          ...buildRequest(call, { params, query, body }),
          headers: callerHeaders(call, caller),
        }),
      0.5,
    );
  });

  it.each(calls)("$name: handles unusual headers and queries", async (call) => {
    await property(
      [
        validInput(call, "params"),
        fc.constantFrom(...UNUSUAL_QUERIES),
        validInput(call, "body"),
        unusualHeaders,
        callerArbitrary(call),
      ],
      (params, query, body, unusual, caller) =>
        sendAndCheck(call, {
          ...buildRequest(call, { params, query, body }),
          headers: { ...callerHeaders(call, caller), ...unusual },
        }),
      0.5,
    );
  });

  it.each(jsonCalls)("$name: rejects NUL and lone surrogates in every field", async (call) => {
    const headers = callerHeaders(call, "bearer");
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    const namesOf = (place: "params" | "query" | "body") =>
      Object.keys(readSchema(call, place).properties ?? {});
    const reject = async (request: ApiRequest, name: string) => {
      const { status, text } = await sendRequest(call, { headers, ...request });
      expect([name, status >= 400 && status < 500], text.slice(0, 200)).toEqual([name, true]);
    };
    await client()`delete from rate_limits`;
    for (const name of namesOf("params")) await reject({ params: { [name]: "a\u0000b" } }, name);
    for (const name of namesOf("query")) await reject({ query: `${name}=a%00b` }, name);
    if (!call.write) return;
    for (const name of namesOf("body")) {
      for (const text of ["a\u0000b", "\ud800"]) await reject({ body: { [name]: text } }, name);
      await reject({ raw: `${name}=a%00b`, headers: form }, name);
    }
  });

  it.each(calls.filter(({ write }) => write))("$name: handles malformed bodies", async (call) => {
    for (const { raw, headers } of MALFORMED_REQUESTS)
      await sendAndCheck(call, { raw, headers: { ...callerHeaders(call, "bearer"), ...headers } });
  });
});
