import type Stripe from "stripe";

type HttpClient = NonNullable<Stripe.StripeConfig["httpClient"]>;

/**
 * The calls that the client does not retry (`NO_RETRIES` of provider.ts), because the provider may execute each of
 * them; the shop repeats them itself.
 */
const CREATES_MONEY = /^\/v1\/(payment_intents|refunds|transfers|transfers\/[^/]+\/reversals)$/;

/**
 * Hides the code of a lost connection for the calls that create money: stripe-node 23 repeats a call once when the
 * connection is closed, also without retries.
 */
export function preventHiddenRetries(client: HttpClient): HttpClient {
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...request) {
      const [, , path, method] = request;
      try {
        return await client.makeRequest(...request);
      } catch (error) {
        if (method !== "POST" || !CREATES_MONEY.test(path)) throw error;
        throw new Error("The connection to the payment provider was lost.", { cause: error });
      }
    },
  };
}

/**
 * Rejects responses whose JSON is not an object (`true`, `"maintenance"`). For these stripe-node 23 never settles the
 * call and ends the process with an unhandled rejection; an unreadable body it reports as an error.
 */
export function rejectNonObjects(client: HttpClient): HttpClient {
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...request) {
      const response = await client.makeRequest(...request);
      const readBody = response.toJSON.bind(response);
      response.toJSON = async () => {
        const body: unknown = await readBody();
        if (typeof body !== "object" || body === null)
          throw new SyntaxError("The response is not a JSON object.");
        return body;
      };
      return response;
    },
  };
}
