import type Stripe from "stripe";

type HttpClient = NonNullable<Stripe.StripeConfig["httpClient"]>;

/**
 * stripe-node 23 never settles a call whose answer is JSON but no object (`true`, `"maintenance"`), and ends the
 * process with an unhandled rejection. Such a body is made unreadable here, which it reports as an error.
 */
export function guarded(client: HttpClient): HttpClient {
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...request) {
      const response = await client.makeRequest(...request);
      const read = response.toJSON.bind(response);
      response.toJSON = async () => {
        const body: unknown = await read();
        if (typeof body !== "object" || body === null)
          throw new SyntaxError("The answer is not a JSON object.");
        return body;
      };
      return response;
    },
  };
}
