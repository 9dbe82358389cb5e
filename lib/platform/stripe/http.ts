import type Stripe from "stripe";

type HttpClient = NonNullable<Stripe.StripeConfig["httpClient"]>;

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
