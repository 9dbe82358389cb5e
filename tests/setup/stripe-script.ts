import type { BrowserContext, Route } from "@playwright/test";
import type { StripeServer } from "./stripe-server";

/**
 * A stand-in for https://js.stripe.com: the calls of the provider's script that the shop uses, with fields in the page
 * itself instead of in frames. It knows numbers by their last digits, as the provider's own test cards:
 * 4242 pays, 0002 is declined, 3155 asks in a window, 3063 asks on the bank's own page.
 */
function standIn() {
  type Handler = (event?: unknown) => void;
  type Answer = { status?: string; client_secret?: string; error?: { type: string; code?: string } };
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
    tell(name: string, event?: unknown) {
      for (const handler of this.handlers.get(name) ?? []) handler(event);
    }
    mount(place: HTMLElement) {
      if (this.type === "payment")
        this.box.innerHTML = '<label>Card number <input inputmode="numeric"></label>';
      else {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = "Google Pay";
        button.onclick = () => this.tell("confirm", { expressPaymentType: "google_pay" });
        this.box.replaceChildren(button);
      }
      place.append(this.box);
      const methods = { availablePaymentMethods: { googlePay: true } };
      setTimeout(() => this.tell("ready", this.type === "payment" ? undefined : methods));
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
    const post = async (path: string, body: Record<string, string>): Promise<Answer> => {
      const params = new URLSearchParams({ ...body, key });
      const answer = await fetch(`https://api.stripe.com/v1/${path}`, { method: "POST", body: params });
      return answer.json();
    };
    const refused = { error: { type: "card_error", code: "payment_intent_authentication_failure" } };

    async function askInWindow(source: string, client_secret: string) {
      const window = document.createElement("dialog");
      window.innerHTML = "<p>3D Secure</p><button value=yes>Complete</button><button value=no>Fail</button>";
      document.body.append(window);
      window.showModal();
      const said = await new Promise<string>((resolve) => {
        for (const button of window.querySelectorAll("button")) button.onclick = () => resolve(button.value);
      });
      window.remove();
      await post("3ds2/authenticate", { source, client_secret, answer: said });
      return said === "yes" ? {} : refused;
    }

    type Wish = {
      elements?: Elements;
      clientSecret: string;
      confirmParams: { return_url: string; payment_method?: string };
    };
    async function confirmPayment({ elements, clientSecret, confirmParams }: Wish) {
      const id = clientSecret.split("_secret_")[0] ?? "";
      const element = elements?.getElement();
      const last4 = element?.type === "payment" ? element.digits().slice(-4) : "";
      const entered = element?.type === "payment" ? (TOKENS[last4] ?? "pm_card_visa") : "pm_google_pay";
      const { return_url, payment_method = entered } = confirmParams;
      const body = { client_secret: clientSecret, payment_method, return_url };
      const answer = await post(`payment_intents/${id}/confirm`, body);
      if (answer.error) return { error: answer.error };
      if (answer.status !== "requires_action") return { paymentIntent: answer };
      if (last4 !== "3063") return askInWindow(id, clientSecret);
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

/** The provider as a browser meets it: its script, its calls, a bank's own page. */
export async function routeStripe(context: BrowserContext, server: StripeServer): Promise<void> {
  await context.route("https://js.stripe.com/**", (route) =>
    route.fulfill({ contentType: "text/javascript", headers: HEADERS, body: `(${standIn})();` }),
  );
  await context.route("https://api.stripe.com/**", (route) => answerCall(route, server));
  await context.route("https://hooks.stripe.com/**", (route) => bankPage(route, server));
}

async function answerCall(route: Route, server: StripeServer): Promise<void> {
  const url = route.request().url();
  const form = route.request().postData() ?? "";
  if (url.endsWith("/3ds2/authenticate")) {
    const said = new URLSearchParams(form);
    await server.bankSays(said.get("client_secret") ?? "", said.get("answer") === "yes" ? "yes" : "no");
    return route.fulfill({ contentType: "application/json", headers: HEADERS, body: "{}" });
  }
  const { status, body } = await server.fromBrowser(url, form);
  return route.fulfill({ status, contentType: "application/json", headers: HEADERS, body });
}

async function bankPage(route: Route, server: StripeServer): Promise<void> {
  const url = new URL(route.request().url());
  const [secret, back, said] = ["secret", "return_url", "answer"].map(
    (name) => url.searchParams.get(name) ?? "",
  );
  if (!secret || !back) return route.abort();
  if (!said) {
    const link = (answer: string) =>
      `<a href="?${new URLSearchParams({ secret, return_url: back, answer })}">${answer}</a>`;
    return route.fulfill({
      contentType: "text/html",
      body: `<h1>Your bank</h1>${link("yes")} ${link("no")}`,
    });
  }
  await server.bankSays(secret, said === "yes" ? "yes" : "no");
  const target = new URL(back);
  target.searchParams.set("payment_intent", secret.split("_secret_")[0] ?? "");
  target.searchParams.set("redirect_status", said === "yes" ? "succeeded" : "failed");
  return route.fulfill({ status: 303, headers: { location: target.href } });
}
