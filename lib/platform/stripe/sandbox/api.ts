import { env } from "@/lib/platform/env";
import { cancelIntent, createIntent, createRefund, findIntent, findRefund, updateIntent } from "./calls";
import {
  createCustomer,
  createSetup,
  deleteCustomer,
  detachMethod,
  findMethod,
  findSetup,
  listMethods,
} from "./cards";
import { confirmIntent } from "./confirm";
import { findDispute } from "./disputes";
import { brokenAnswer, type SandboxOperation, takeFault } from "./faults";
import { answerOnce, type SandboxRequest } from "./idempotency";
import { listDisputes, listIntents, listRefunds } from "./lists";
import { type Answer, formOf, refusal } from "./params";

/**
 * Stripe, as far as the shop uses it, in this process: the `fetch` of the provider's client in sandbox mode
 * (docs/reliability.md#payment-provider). State is in Postgres, so that all instances see the same.
 */
export async function sandboxFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("The payment sandbox answers in sandbox mode only.");
  const request = requestOf(String(input), init);
  const found = route(request);
  if (!found)
    return respond(
      refusal(404, { message: `Unrecognized request URL (${request.method}: ${request.url.href}).` }),
    );
  const fault = takeFault(found.operation);
  if (fault?.when === "before") return brokenAnswer(fault);
  const answer = await found.run();
  return fault ? brokenAnswer(fault) : respond(answer);
}

/** What the provider's client sends; read by hand, as a `Request` costs more than what is asked of it. */
const requestOf = (url: string, { method = "GET", headers, body }: RequestInit = {}): SandboxRequest => ({
  method: method.toUpperCase(),
  url: new URL(url),
  idempotencyKey: new Headers(headers).get("idempotency-key"),
  body: String(body ?? ""),
});

type Found = { operation: SandboxOperation; run(): Promise<Answer> };

function route(request: SandboxRequest): Found | null {
  const { pathname, search } = request.url;
  const [version, kind, id, verb, part, ...rest] = pathname.split("/").slice(1).map(decodeURIComponent);
  if (version !== "v1" || rest.length > 0) return null;
  const asked = `${request.method} ${kind}${id ? "/id" : ""}${verb ? `/${verb}` : ""}${part ? "/id" : ""}`;
  const once = (call: Parameters<typeof answerOnce>[1]) => () => answerOnce(request, call);
  switch (asked) {
    case "POST payment_intents":
      return { operation: "create_intent", run: once(createIntent) };
    case "GET payment_intents/id":
      return { operation: "retrieve_intent", run: () => findIntent(id ?? "", formOf(search)) };
    case "GET payment_intents":
      return { operation: "list_intents", run: () => listIntents(formOf(search)) };
    case "POST payment_intents/id":
      return { operation: "update_intent", run: once((tx, params) => updateIntent(tx, id ?? "", params)) };
    case "POST payment_intents/id/confirm":
      return { operation: "confirm_intent", run: () => confirmIntent(id ?? "", formOf(request.body)) };
    case "POST payment_intents/id/cancel":
      return { operation: "cancel_intent", run: once((tx, params) => cancelIntent(tx, id ?? "", params)) };
    case "POST refunds":
      return { operation: "create_refund", run: once(createRefund) };
    case "GET refunds/id":
      return { operation: "retrieve_refund", run: () => findRefund(id ?? "") };
    case "GET refunds":
      return { operation: "list_refunds", run: () => listRefunds(formOf(search)) };
    case "GET disputes/id":
      return { operation: "retrieve_dispute", run: () => findDispute(id ?? "") };
    case "GET disputes":
      return { operation: "list_disputes", run: () => listDisputes(formOf(search)) };
    default:
      return cardRoute(asked, { id: id ?? "", part: part ?? "", search, once });
  }
}

type CardAsked = {
  id: string;
  part: string;
  search: string;
  once: (call: Parameters<typeof answerOnce>[1]) => Found["run"];
};

function cardRoute(asked: string, { id, part, search, once }: CardAsked): Found | null {
  switch (asked) {
    case "POST customers":
      return { operation: "create_customer", run: once(createCustomer) };
    case "DELETE customers/id":
      return { operation: "delete_customer", run: once((tx) => deleteCustomer(tx, id)) };
    case "GET customers/id/payment_methods":
      return { operation: "list_cards", run: () => listMethods(id, formOf(search)) };
    case "GET customers/id/payment_methods/id":
      return { operation: "retrieve_card", run: () => findMethod(id, part) };
    case "POST payment_methods/id/detach":
      return { operation: "detach_card", run: once((tx) => detachMethod(tx, id)) };
    case "POST setup_intents":
      return { operation: "create_setup", run: once(createSetup) };
    case "GET setup_intents/id":
      return { operation: "retrieve_setup", run: () => findSetup(id) };
    default:
      return null;
  }
}

function respond({ status, body, replayed }: Answer): Response {
  return Response.json(body, { status, headers: replayed ? { "idempotent-replayed": "true" } : {} });
}
