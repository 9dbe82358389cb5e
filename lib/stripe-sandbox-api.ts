import { env } from "./env";
import { cancelIntent, createIntent, createRefund, findIntent, findRefund } from "./stripe-sandbox-calls";
import { brokenAnswer, type SandboxOperation, takeFault } from "./stripe-sandbox-faults";
import { answerOnce } from "./stripe-sandbox-idempotency";
import { type Answer, refusal } from "./stripe-sandbox-params";

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
  const [version, kind, id, verb, ...rest] = pathname.split("/").slice(1).map(decodeURIComponent);
  if (version !== "v1" || rest.length > 0) return null;
  const once = (call: Parameters<typeof answerOnce>[1]) => (body: string) =>
    answerOnce({ request, pathname, body }, call);
  switch (`${request.method} ${kind}${id ? "/id" : ""}${verb ? `/${verb}` : ""}`) {
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
      return null;
  }
}

function respond({ status, body, replayed }: Answer): Response {
  return Response.json(body, { status, headers: replayed ? { "idempotent-replayed": "true" } : {} });
}
