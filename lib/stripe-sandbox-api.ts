import { env } from "./env";
import { cancelIntent, createIntent, createRefund, findIntent, findRefund } from "./stripe-sandbox-calls";
import {
  createCustomer,
  createSetup,
  deleteCustomer,
  detachMethod,
  findMethod,
  findSetup,
  listMethods,
} from "./stripe-sandbox-cards";
import { brokenAnswer, type SandboxOperation, takeFault } from "./stripe-sandbox-faults";
import { answerOnce } from "./stripe-sandbox-idempotency";
import { type Answer, formOf, refusal } from "./stripe-sandbox-params";

/**
 * Stripe, as far as the shop uses it, in this process: the `fetch` of the provider's client in sandbox mode
 * (reliability.md, Payment provider). State is in Postgres, so that all instances see the same.
 */
export async function sandboxFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("The payment sandbox answers in sandbox mode only.");
  const request = new Request(input, init);
  const found = route(request);
  if (!found)
    return respond(
      refusal(404, { message: `Unrecognized request URL (${request.method}: ${request.url}).` }),
    );
  const fault = takeFault(found.operation);
  if (fault?.when === "before") return brokenAnswer(fault);
  const answer = await found.run(await request.text());
  return fault ? brokenAnswer(fault) : respond(answer);
}

type Found = { operation: SandboxOperation; run(body: string): Promise<Answer> };

function route(request: Request): Found | null {
  const { pathname } = new URL(request.url);
  const [version, kind, id, verb, part, ...rest] = pathname.split("/").slice(1).map(decodeURIComponent);
  if (version !== "v1" || rest.length > 0) return null;
  const asked = `${request.method} ${kind}${id ? "/id" : ""}${verb ? `/${verb}` : ""}${part ? "/id" : ""}`;
  const once = (call: Parameters<typeof answerOnce>[1]) => (body: string) =>
    answerOnce({ request, pathname, body }, call);
  switch (asked) {
    case "POST payment_intents":
      return { operation: "create_intent", run: once(createIntent) };
    case "GET payment_intents/id":
      return { operation: "retrieve_intent", run: () => findIntent(id ?? "") };
    case "POST payment_intents/id/cancel":
      return { operation: "cancel_intent", run: once((tx, params) => cancelIntent(tx, id ?? "", params)) };
    case "POST refunds":
      return { operation: "create_refund", run: once(createRefund) };
    case "GET refunds/id":
      return { operation: "retrieve_refund", run: () => findRefund(id ?? "") };
    default:
      return cardRoute(asked, { id: id ?? "", part: part ?? "", search: new URL(request.url).search, once });
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
