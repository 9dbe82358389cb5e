import type { BrowserContext, Route } from "@playwright/test";
import type { StripeServer } from "./stripe-server";

/**
 * A fake of https://js.stripe.com, with the calls that the shop uses and card fields in the page itself instead of in
 * frames. The last digits of a card number decide, as with Stripe's test cards: 4242 pays, 0002 is declined, 3155
 * requires authentication in a dialog, 3063 requires it on the bank's own page.
 */
function fakeStripeScript() {
  type Handler = (event?: unknown) => void;
  type StripeResponse = { status?: string; client_secret?: string; error?: { type: string; code?: string } };
  const TOKENS: Record<string, string> = {
    "4242": "pm_card_visa",
    "0002": "pm_card_chargeDeclined",
    "3155": "pm_card_authenticationRequired",
    "3063": "pm_card_authenticationRequired",
  };

  class Element {
    handlers = new Map<string, Handler[]>();
    box = document.createElement("div");
    constructor(readonly type: string) {}
    on(name: string, handler: Handler) {
      this.handlers.set(name, [...(this.handlers.get(name) ?? []), handler]);
      return this;
    }
    once(name: string, handler: Handler) {
      return this.on(name, handler);
    }
    off() {
      return this;
    }
    emit(name: string, event?: unknown) {
      for (const handler of this.handlers.get(name) ?? []) handler(event);
    }
    mount(place: HTMLElement) {
      if (this.type === "payment")
        this.box.innerHTML = '<label>Card number <input inputmode="numeric"></label>';
      else {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = "Google Pay";
        button.onclick = () => this.emit("confirm", { expressPaymentType: "google_pay" });
        this.box.replaceChildren(button);
      }
      place.append(this.box);
      const methods = { availablePaymentMethods: { googlePay: true } };
      setTimeout(() => this.emit("ready", this.type === "payment" ? undefined : methods));
    }
    update() {}
    unmount() {
      this.box.remove();
    }
    destroy() {
      this.box.remove();
    }
    digits() {
      return this.box.querySelector("input")?.value.replace(/\D/g, "") ?? "";
    }
  }

  class Elements {
    #element: Element | null = null;
    fetched = 0;
    create(type: string) {
      this.#element = new Element(type);
      return this.#element;
    }
    getElement() {
      return this.#element;
    }
    update() {}
    on() {}
    async fetchUpdates() {
      this.fetched += 1;
      return {};
    }
    async submit() {
      if (this.#element?.type !== "payment" || this.#element.digits().length === 16) return {};
      return { error: { type: "validation_error", message: "Your card number is incomplete." } };
    }
  }

  function provider(key: string) {
    const post = async (path: string, body: Record<string, string>): Promise<StripeResponse> => {
      const params = new URLSearchParams({ ...body, key });
      const response = await fetch(`https://api.stripe.com/v1/${path}`, { method: "POST", body: params });
      return response.json();
    };
    const refused = { error: { type: "card_error", code: "payment_intent_authentication_failure" } };

    async function authenticateInDialog(source: string, client_secret: string) {
      const dialog = document.createElement("dialog");
      dialog.innerHTML = "<p>3D Secure</p><button value=yes>Complete</button><button value=no>Fail</button>";
      document.body.append(dialog);
      dialog.showModal();
      const response = await new Promise<string>((resolve) => {
        for (const button of dialog.querySelectorAll("button")) button.onclick = () => resolve(button.value);
      });
      dialog.remove();
      await post("3ds2/authenticate", { source, client_secret, answer: response });
      return response === "yes" ? {} : refused;
    }

    type ConfirmOptions = {
      elements?: Elements;
      clientSecret: string;
      confirmParams: { return_url: string; payment_method?: string };
    };
    async function confirmPayment({ elements, clientSecret, confirmParams }: ConfirmOptions) {
      const id = clientSecret.split("_secret_")[0] ?? "";
      const element = elements?.getElement();
      const last4 = element?.type === "payment" ? element.digits().slice(-4) : "";
      const entered = element?.type === "payment" ? (TOKENS[last4] ?? "pm_card_visa") : "pm_google_pay";
      const { return_url, payment_method = entered } = confirmParams;
      const body = { client_secret: clientSecret, payment_method, return_url };
      const intent = await post(`payment_intents/${id}/confirm`, body);
      if (intent.error) return { error: intent.error };
      if (intent.status !== "requires_action") return { paymentIntent: intent };
      if (last4 !== "3063") return authenticateInDialog(id, clientSecret);
      location.assign(
        `https://hooks.stripe.com/bank?${new URLSearchParams({ secret: clientSecret, return_url })}`,
      );
      return new Promise(() => {});
    }
    return {
      elements: () => new Elements(),
      confirmPayment,
      createToken() {},
      createPaymentMethod() {},
      confirmCardPayment() {},
      _registerWrapper() {},
      registerAppInfo() {},
    };
  }
  Object.assign(window, { Stripe: provider });
}

const HEADERS = { "access-control-allow-origin": "*" };

/** Routes what a browser requests of Stripe to the fake: its script, its calls, a bank's own page. */
export async function routeStripe(context: BrowserContext, server: StripeServer): Promise<void> {
  await context.route("https://js.stripe.com/**", (route) =>
    route.fulfill({ contentType: "text/javascript", headers: HEADERS, body: `(${fakeStripeScript})();` }),
  );
  await context.route("https://api.stripe.com/**", (route) => respondToCall(route, server));
  await context.route("https://hooks.stripe.com/**", (route) => showBankPage(route, server));
}

async function respondToCall(route: Route, server: StripeServer): Promise<void> {
  const url = route.request().url();
  const form = route.request().postData() ?? "";
  if (url.endsWith("/3ds2/authenticate")) {
    const params = new URLSearchParams(form);
    await server.authenticate(
      params.get("client_secret") ?? "",
      params.get("answer") === "yes" ? "yes" : "no",
    );
    return route.fulfill({ contentType: "application/json", headers: HEADERS, body: "{}" });
  }
  const { status, body } = await server.fromBrowser(url, form);
  return route.fulfill({ status, contentType: "application/json", headers: HEADERS, body });
}

async function showBankPage(route: Route, server: StripeServer): Promise<void> {
  const url = new URL(route.request().url());
  const [secret, returnUrl, response] = ["secret", "return_url", "answer"].map(
    (name) => url.searchParams.get(name) ?? "",
  );
  if (!secret || !returnUrl) return route.abort();
  if (!response) {
    const link = (label: string) =>
      `<a href="?${new URLSearchParams({ secret, return_url: returnUrl, answer: label })}">${label}</a>`;
    return route.fulfill({
      contentType: "text/html",
      body: `<h1>Your bank</h1>${link("yes")} ${link("no")}`,
    });
  }
  await server.authenticate(secret, response === "yes" ? "yes" : "no");
  const target = new URL(returnUrl);
  target.searchParams.set("payment_intent", secret.split("_secret_")[0] ?? "");
  target.searchParams.set("redirect_status", response === "yes" ? "succeeded" : "failed");
  return route.fulfill({ status: 303, headers: { location: target.href } });
}
