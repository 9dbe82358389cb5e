import type { Tx } from "@/db/client";
import { env } from "@/lib/platform/env";
import {
  createCustomer,
  createSetupIntent,
  deleteCustomer,
  detachPaymentMethod,
  listPaymentMethods,
  retrievePaymentMethod,
  retrieveSetupIntent,
} from "./cards";
import { confirmIntent } from "./confirm";
import { createAccount, createAccountLink, retrieveAccount } from "./connect-accounts";
import {
  createTransfer,
  listPayouts,
  listTransfers,
  readBalance,
  retrieveTransfer,
  reverseTransfer,
} from "./connect-transfers";
import { listDisputes, retrieveDispute } from "./disputes";
import {
  type Params,
  parseForm,
  readRequest,
  respond,
  SandboxError,
  type SandboxRequest,
  type SandboxResponse,
  writeResponse,
} from "./http";
import { runOnce } from "./idempotency";
import { cancelIntent, createIntent, listIntents, retrieveIntent, updateIntent } from "./intents";
import { listFraudWarnings, listReviews, retrieveFraudWarning, retrieveReview } from "./radar";
import { createRefund, listRefunds, retrieveRefund } from "./refunds";

/**
 * Stripe's API, as far as the shop uses it, in this process: the `fetch` of the Stripe client in sandbox mode. Its state
 * is in Postgres, so that all instances see the same (docs/reliability.md, Payment provider).
 */
export async function sandboxFetch(url: string, init?: RequestInit): Promise<Response> {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("The payment sandbox answers in sandbox mode only.");
  return writeResponse(await handle(await readRequest(url, init)));
}

async function handle(request: SandboxRequest): Promise<SandboxResponse> {
  const { method, url } = request;
  const [version, resource, id = "", verb, subId = "", ...rest] = url.pathname
    .split("/")
    .slice(1)
    .map(decodeURIComponent);
  if (resource === "radar" && id === "early_fraud_warnings" && method === "GET")
    return respond(() => (verb ? retrieveFraudWarning(verb) : listFraudWarnings(parseForm(url.search))));
  const path = [resource, id && ":id", verb, subId && ":id"].filter(Boolean).join("/");
  if (version === "v2") return handleV2(request);
  const call = version === "v1" && rest.length === 0 && CALLS[`${method} ${path}`];
  if (call) return call(request, id, subId);
  return respond(async () => {
    throw new SandboxError(404, { message: `Unrecognized request URL (${method}: ${url.href}).` });
  });
}

/** The calls of version 2, which have JSON bodies. */
async function handleV2(request: SandboxRequest): Promise<SandboxResponse> {
  const { method, url } = request;
  const id = /^\/v2\/core\/accounts\/([^/]+)$/.exec(url.pathname)?.[1];
  if (id && method === "GET") return respond(() => retrieveAccount(decodeURIComponent(id)));
  if (url.pathname === "/v2/core/accounts" && method === "POST")
    return runOnce(request, (tx, params) => createAccount(tx, params));
  if (url.pathname === "/v2/core/account_links" && method === "POST")
    return runOnce(request, (tx, params) => createAccountLink(tx, params));
  return respond(async () => {
    throw new SandboxError(404, { message: `Unrecognized request URL (${method}: ${url.href}).` });
  });
}

type Call = (request: SandboxRequest, id: string, subId: string) => Promise<SandboxResponse>;

/** A call whose parameters are in the query. It runs once for each request. */
const read =
  (run: (params: Params, id: string, subId: string) => Promise<object>): Call =>
  (request, id, subId) =>
    respond(() => run(parseForm(request.url.search), id, subId));

/** A call whose parameters are in the body. It runs once for each Idempotency-Key. */
const write =
  (run: (tx: Tx, params: Params, id: string) => Promise<object>): Call =>
  (request, id) =>
    runOnce(request, (tx, params) => run(tx, params, id));

const CALLS: Readonly<Record<string, Call>> = {
  "POST payment_intents": write(createIntent),
  "GET payment_intents": read(listIntents),
  "GET payment_intents/:id": read((params, id) => retrieveIntent(id, params)),
  "POST payment_intents/:id": write((tx, params, id) => updateIntent(tx, id, params)),
  "POST payment_intents/:id/cancel": write((tx, params, id) => cancelIntent(tx, id, params)),
  // Stripe's script sends no Idempotency-Key. The intent's own state makes a second confirmation fail.
  "POST payment_intents/:id/confirm": ({ body }, id) => respond(() => confirmIntent(id, parseForm(body))),
  "POST refunds": write((tx, params) => createRefund(tx, params)),
  "GET refunds": read(listRefunds),
  "GET refunds/:id": read((_, id) => retrieveRefund(id)),
  "GET disputes": read(listDisputes),
  "GET reviews": read(listReviews),
  "GET disputes/:id": read((_, id) => retrieveDispute(id)),
  "GET reviews/:id": read((_, id) => retrieveReview(id)),
  "POST customers": write(createCustomer),
  "DELETE customers/:id": write((tx, _, id) => deleteCustomer(tx, id)),
  "GET customers/:id/payment_methods": read((params, id) => listPaymentMethods(id, params)),
  "GET customers/:id/payment_methods/:id": read((_, id, subId) => retrievePaymentMethod(id, subId)),
  "POST payment_methods/:id/detach": write((tx, _, id) => detachPaymentMethod(tx, id)),
  "POST setup_intents": write(createSetupIntent),
  "POST transfers": write((tx, params) => createTransfer(tx, params)),
  "GET transfers": read(listTransfers),
  "GET transfers/:id": read((_, id) => retrieveTransfer(id)),
  "POST transfers/:id/reversals": write(reverseTransfer),
  "GET payouts": read(listPayouts),
  "GET balance": read(readBalance),
  "POST balance_settings": write(async () => ({ object: "balance_settings" })),
  "GET setup_intents/:id": read((_, id) => retrieveSetupIntent(id)),
};
