import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, type KeyLike, SignJWT } from "jose";
import Provider from "oidc-provider";

/** A user of the provider. */
export type OpenidPerson = { sub: string; email: string; email_verified: boolean; name?: string };

const BACK = "https://shop.example/back";
const KEY = "tests-1";

/** Runs in the page; `localStorage.atGoogle` names the user: `email=…&verified=no`. */
const gsi = `(issuer) => {
  let settings;
  window.google = { accounts: { id: {
    initialize(given) { settings = given; },
    renderButton(place, look) {
      const button = document.createElement("div");
      button.role = "button";
      button.tabIndex = 0;
      button.textContent = "Google (" + look.locale + ")";
      button.style.cssText = "height:44px;color:#000;background:#fff;width:" + look.width + "px";
      button.onclick = async () => {
        const who = localStorage.getItem("atGoogle") || "";
        const answer = await fetch(issuer + "/gsi/token?nonce=" + settings.nonce + "&" + who);
        settings.callback({ credential: await answer.text() });
      };
      place.append(button);
    },
  } } };
}`;

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { "content-type": type, "access-control-allow-origin": "*" }).end(text);
}

/**
 * A real OpenID provider (oidc-provider) that signs id tokens with RS256, as Google does; `people` may sign in to the
 * clients "shop" and "another".
 */
export class OpenidProvider {
  issuer = "";
  readonly people = new Map<string, OpenidPerson>();
  #key: KeyLike | undefined;
  #server: Server | undefined;

  async start(port = 0): Promise<string> {
    const { privateKey } = await generateKeyPair("RS256");
    this.#key = privateKey;
    const server = createServer();
    await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const jwk = { ...(await exportJWK(privateKey)), kid: KEY, alg: "RS256", use: "sig" };
    const provider = this.#provider(jwk);
    const answer = provider.callback();
    server.on("request", async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", this.issuer);
      if (pathname === "/gsi/client") return send(response, "text/javascript", this.#script());
      if (pathname === "/gsi/token") return send(response, "text/plain", await this.#tokenFor(searchParams));
      if (!pathname.startsWith("/interaction/")) return answer(request, response);
      const { params } = await provider.interactionDetails(request, response);
      const login = { accountId: String(params.login_hint) };
      await provider.interactionFinished(request, response, { login });
    });
    this.#server = server;
    return this.issuer;
  }

  #provider(jwk: object): Provider {
    const client = (client_id: string) => ({
      client_id,
      redirect_uris: [BACK],
      response_types: ["id_token" as const],
      grant_types: ["implicit"],
      token_endpoint_auth_method: "none" as const,
    });
    const provider = new Provider(this.issuer, {
      clients: [client("shop"), client("another")],
      jwks: { keys: [jwk as never] },
      responseTypes: ["id_token"],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      conformIdTokenClaims: false,
      ttl: { Interaction: 600, Grant: 600, IdToken: 3600, Session: 600 },
      cookies: { keys: ["tests"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => {
        const user = this.people.get(sub);
        return user && { accountId: sub, claims: () => ({ ...user }) };
      },
      async loadExistingGrant({ oidc }) {
        const grant = new provider.Grant({
          clientId: oidc.client!.clientId,
          accountId: oidc.session!.accountId!,
        });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    });
    return provider;
  }

  /** The part of Google's script that a page uses: a button, and a token for the named user. */
  #script(): string {
    return `(${gsi})(${JSON.stringify(this.issuer)});`;
  }

  #tokenFor(asked: URLSearchParams): Promise<string> {
    const email = asked.get("email") ?? "";
    const user = {
      sub: `sub-${email}`,
      email,
      email_verified: asked.get("verified") !== "no",
      name: "Ada",
    };
    return this.idToken(user, { nonce: asked.get("nonce") ?? "none" });
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => this.#server?.close(done));
  }

  /** Signs a user in as a browser does, step by step, and returns the id token. */
  async idToken(user: OpenidPerson, { nonce = "none", client = "shop" } = {}): Promise<string> {
    this.people.set(user.sub, user);
    const jar = new Map<string, string>();
    const query = new URLSearchParams({
      client_id: client,
      redirect_uri: BACK,
      response_type: "id_token",
      response_mode: "fragment",
      scope: "openid email profile",
      nonce,
      login_hint: user.sub,
    });
    for (let next = `${this.issuer}/auth?${query}`, step = 0; step < 8; step++) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(next, { headers: { cookie }, redirect: "manual" });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const location = response.headers.get("location");
      if (!location) throw new Error(`the provider stops with ${response.status}: ${await response.text()}`);
      const url = new URL(location, this.issuer);
      const token = new URLSearchParams(url.hash.slice(1)).get("id_token");
      if (token) return token;
      if (url.origin !== this.issuer) throw new Error(`the provider refuses: ${url.hash}`);
      next = url.href;
    }
    throw new Error("the provider leads in circles");
  }

  /** A token with any claims, signed with the provider's key. */
  sign(claims: JWTPayload, { kid = KEY } = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: this.issuer, aud: "shop", iat: now, exp: now + 3600 };
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: "RS256", kid }).sign(this.#key!);
  }
}
