import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A user of the emulated GitHub. */
export type GithubPerson = {
  id: number;
  login: string;
  name?: string | null;
  emails: { email: string; primary: boolean; verified: boolean }[];
};
type Grant = { person: GithubPerson; challenge: string; redirectUri: string };

export const GITHUB_CLIENT = { id: "passlane-tests", secret: "github-tests-secret" };

/**
 * The endpoints of GitHub that a sign-in uses: authorize (signs in `who` without a page), the exchange of the code with
 * PKCE and the client's secret, /user and /user/emails.
 */
export class GithubEmulator {
  /** The user who signs in; undefined declines. */
  who: GithubPerson | undefined;
  /** The user has revoked the authorization: tokens are rejected. */
  revoked = false;
  readonly seen: URL[] = [];
  address = "";
  #grants = new Map<string, Grant>();
  #tokens = new Map<string, GithubPerson>();
  #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.writeHead(500).end());
  });

  async start(port = 0): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(port, "127.0.0.1", done));
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this.address;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? "/", this.address);
    this.seen.push(url);
    if (url.pathname === "/who" && request.method === "POST") {
      this.who = JSON.parse((await bodyOf(request)) || "null") ?? undefined;
      return json(response, 200, {});
    }
    if (url.pathname === "/login/oauth/authorize") return this.#authorize(url, response);
    if (url.pathname === "/login/oauth/access_token")
      return this.#exchange(request, new URLSearchParams(await bodyOf(request)), response);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const user = this.#tokens.get(token);
    if (!user || this.revoked) return json(response, 401, { message: "Bad credentials" });
    if (url.pathname === "/user") {
      const { id, login, name } = user;
      return json(response, 200, { id, login, name, email: "shown-publicly@example.com" });
    }
    if (url.pathname === "/user/emails") return json(response, 200, user.emails);
    return json(response, 404, {});
  }

  #authorize(url: URL, response: ServerResponse): unknown {
    const { client_id, redirect_uri, state, code_challenge, code_challenge_method } = Object.fromEntries(
      url.searchParams,
    );
    if (client_id !== GITHUB_CLIENT.id || !redirect_uri || !state)
      return json(response, 400, { message: "not a request of this client" });
    const back = new URL(redirect_uri);
    back.searchParams.set("state", state);
    if (this.who && code_challenge && code_challenge_method === "S256") {
      const code = randomUUID();
      this.#grants.set(code, { person: this.who, challenge: code_challenge, redirectUri: redirect_uri });
      back.searchParams.set("code", code);
    } else back.searchParams.set("error", "access_denied");
    return response.writeHead(302, { location: back.href }).end();
  }

  #exchange(request: IncomingMessage, form: URLSearchParams, response: ServerResponse): unknown {
    const expected = Buffer.from(`${GITHUB_CLIENT.id}:${GITHUB_CLIENT.secret}`).toString("base64");
    if (request.headers.authorization !== `Basic ${expected}`)
      return json(response, 401, { error: "incorrect_client_credentials" });
    const code = form.get("code") ?? "";
    const grant = this.#grants.get(code);
    this.#grants.delete(code); // a code is valid once
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (grant?.challenge !== challenge || grant.redirectUri !== form.get("redirect_uri"))
      return json(response, 200, { error: "bad_verification_code", error_description: "as GitHub says it" });
    const token = `gho_${randomUUID()}`;
    this.#tokens.set(token, grant.person);
    return json(response, 200, {
      access_token: token,
      token_type: "bearer",
      scope: "read:user,user:email",
    });
  }
}

function json(response: ServerResponse, status: number, body: unknown): unknown {
  return response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}
