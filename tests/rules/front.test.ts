import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "@/lib/platform/api/operations";
import { ShopError } from "@/lib/platform/errors";
import { landingCookie } from "@/lib/platform/http/landing-cookie";
import { renderRefusal } from "@/lib/platform/http/refusal";
import { isRenderedPerRequest } from "@/lib/platform/http/security-headers";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { decideRoute, routingCookies } from "@/lib/platform/routing/decide-route";
import { isMobileAgent, localizedPath, parsePath } from "@/lib/platform/routing/paths";
import { ROUTES } from "@/lib/platform/routing/routes";
import nextConfig from "@/next.config";
import { checkFront, findNginx, writeFront } from "@/scripts/start/front";
import { freePort } from "@/scripts/start/ports";
import { frontErrors, frontMaps, SEARCH_CALLS } from "@/scripts/write-front-files";
import { needs } from "@/tests/setup/needs";
import { CHROME, IPHONE } from "./page-paths";

/** A condition of a rewrite in next.config.ts. */
type Condition = { type: string; key: string; value: string };
type Visit = { path: string; agent?: string; cookie?: string };
/** The decisions of nginx about a request. */
type Verdict = {
  device: string;
  locale: string;
  otherLocale: boolean;
  attributed: boolean;
  query: string;
  kind: string;
};

/** The maps as nginx reads them: the first regular expression that matches counts. */
function readMap(name: string): (key: string) => string {
  const lines = [
    ...readFileSync(`deploy/nginx/maps/${name}.map`, "utf8").matchAll(/^(?:"(.*)"|default) "(.*)";$/gm),
  ];
  const fallback = lines.find(([line]) => line.startsWith("default"))?.[2] ?? "";
  const tests = lines.flatMap(([, key, value = ""]) => {
    const [, flags, pattern] = /^~(\*?)(.*)$/.exec(key ?? "") ?? [];
    if (key === undefined) return [];
    return [
      { value, pattern: pattern === undefined ? undefined : new RegExp(pattern, flags ? "i" : ""), key },
    ];
  });
  return (key) => {
    for (const one of tests) {
      const match = one.pattern?.exec(key);
      if (match) return one.value.replace(/\$(\w+)/g, (_, group: string) => match.groups?.[group] ?? "");
      if (!one.pattern && one.key === key) return one.value;
    }
    return fallback;
  };
}

const maps = Object.fromEntries(
  ["device", "path-locale", "other-locale", "attributed", "query", "kind"].map((name) => [
    name,
    readMap(name),
  ]),
);
const look = (name: string, key: string) => maps[name]?.(key) ?? "";

function verdictOf({ path, agent = CHROME, cookie = "" }: Visit): Verdict {
  const [pathname = "", args = ""] = path.split("?");
  const stored = /locale=(\w+)/.exec(cookie)?.[1] ?? "";
  const locale = look("path-locale", path);
  return {
    device: look("device", agent),
    locale,
    otherLocale: look("other-locale", `${stored} ${locale}`) === "1",
    attributed: look("attributed", args) === "1",
    query: look("query", args),
    kind: look("kind", `${decodeURIComponent(pathname)}?${args}`),
  };
}

const isKept = ({ cookie = "" }: Visit, verdict: Verdict) =>
  verdict.kind === "page" &&
  verdict.query !== "unclear" &&
  !verdict.otherLocale &&
  !verdict.attributed &&
  !cookie.includes("surface=desktop");

/**
 * The values that a rewrite takes from a query: Next reads the last value of a parameter. Undefined when the rewrite
 * does not apply.
 */
function readConditions(has: Condition[], query: URLSearchParams): string[] | undefined {
  const values = has.map(
    ({ key, value }) => new RegExp(`^${value}$`).exec(query.getAll(key).at(-1) ?? "")?.[0],
  );
  return values.every((value) => value !== undefined) ? values : undefined;
}

const QUERIES = [
  "",
  "?plan=5",
  "?plan=05",
  "?plan=%35",
  "?PLAN=5",
  "?plan=5&plan=6",
  "?plan=5&x=1",
  "?x=1&plan=5&y",
  "?pl%61n=6",
  "?plan=1234567890",
  "?sort=price_asc",
  "?sort=price_asc&page=2",
  "?page=2&sort=price_asc",
  "?_rsc=1x2&page=2&sort=price_asc",
  "?sort=recommend",
  "?page=1",
  "?page=2",
  "?page=0&page=3",
  "?q=x",
  "?x",
  "?x=%26plan=7",
  "?redirect=%2Fcart&_rsc=abc",
  "?a[]=1",
  "?x=1+plan=5",
  "?plan",
  "?plan=",
  "?page=2;sort=price_asc",
];
const LANDINGS = [
  "?utm_source=a",
  "?source=a",
  "?x=1&medium=b",
  "?utm_campaign=&content=",
  "?s%6furce=a",
  "?resource=a",
];
const PATHS = [
  "/",
  "/zh",
  "/ja/mobile",
  "/product/novel",
  "/zh/product/novel",
  "/mobile/product/novel",
  "/product/detail/7",
  "/product/n%6fvel",
  "/Product/novel",
  "/category/books",
  "/zh/mobile/category/books",
  "/vendor/a",
  "/seller/b",
  "/top-trending",
  "/limited-offer",
  "/mobile/limited",
  "/blog",
  "/ja/blog",
  "/blog/detail/x",
  "/free-voucher",
  "/en",
  "/en/product/novel",
  "/zh/desktop/product/novel",
  "/mobile/limited-offer",
  "/search",
  "/login",
  "/console",
  "/nowhere",
];
const VISITS: Visit[] = [
  ...PATHS.flatMap((path) => [...QUERIES, ...LANDINGS].map((query) => ({ path: path + query }))),
  ...PATHS.map((path) => ({ path, agent: IPHONE })),
  ...PATHS.map((path) => ({ path, agent: IPHONE, cookie: "surface=desktop" })),
  ...["zh", "ja", "en", "xx"].flatMap((locale) =>
    PATHS.map((path) => ({ path, cookie: `a=b; locale=${locale}` })),
  ),
];

const FIELDS = ["device", "path_locale", "other_locale", "attributed", "key_query", "request_kind"];
const nginx = findNginx();

/** Asks nginx itself, with the variables of deploy/nginx/requests.conf. */
async function askNginx(visits: Visit[]): Promise<Verdict[]> {
  const dir = mkdtempSync(join(tmpdir(), "front-"));
  const port = await freePort();
  const path = writeFront({ dir, port, shop: [1] });
  const answer = `return 200 "${FIELDS.map((name) => `$${name}`).join(" ; ")}";`;
  writeFileSync(
    join(dir, "passlane", "passlane.conf"),
    `include passlane/requests.conf; include passlane/settings.conf;
     server { include passlane/listen.conf; access_log off; ${answer} }`,
  );
  const child = spawn(nginx ?? "", ["-c", path, "-e", "stderr"], { stdio: "inherit" });
  try {
    const send = ({ path: address, agent = CHROME, cookie }: Visit) =>
      new Promise<string>((done, fail) => {
        const headers = { "user-agent": agent, ...(cookie && { cookie }) };
        request({ port, path: address, headers }, (response) => void text(response).then(done, fail))
          .on("error", fail)
          .end();
      });
    for (let tries = 0; tries < 100 && !(await send({ path: "/" }).catch(() => "")); tries++) await sleep(50);
    const verdicts: Verdict[] = [];
    for (const visit of visits) {
      const [device = "", locale = "", other, attributed, query = "", kind = ""] = (await send(visit)).split(
        " ; ",
      );
      verdicts.push({
        device,
        locale,
        otherLocale: other === "1",
        attributed: attributed === "1",
        query,
        kind,
      });
    }
    return verdicts;
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

describe("what nginx decides", () => {
  it("comes from maps that equal what the script writes", () => {
    const written = frontMaps();
    expect(readdirSync("deploy/nginx/maps").sort()).toEqual(Object.keys(written).sort());
    for (const [name, content] of Object.entries(written))
      expect(
        readFileSync(`deploy/nginx/maps/${name}`, "utf8"),
        `run: npx tsx scripts/write-front-files.ts`,
      ).toBe(content);
  });

  it("equals what the shop decides about device, language and attribution", () => {
    for (const visit of VISITS) {
      const { pathname, search } = new URL(visit.path, "http://shop.test");
      const verdict = verdictOf(visit);
      expect([visit, verdict.device]).toEqual([visit, isMobileAgent(visit.agent) ? "mobile" : "desktop"]);
      expect([visit, verdict.locale]).toEqual([visit, parsePath(pathname).locale]);
      const cookie = landingCookie({ pathname, search, signals: { gpc: null, dnt: null }, secure: false });
      if (cookie) expect([visit, verdict.attributed || verdict.query === "unclear"]).toEqual([visit, true]);
    }
  });

  it("caches no page that the shop redirects, renders per request or sends with a cookie", () => {
    for (const visit of VISITS) {
      const verdict = verdictOf(visit);
      const { pathname, search } = new URL(visit.path, "http://shop.test");
      const cookies = routingCookies(visit.cookie);
      const decision = decideRoute({ pathname, search, userAgent: visit.agent ?? CHROME, cookies });
      const isRedirected = decision.kind === "redirect" && verdict.device === "desktop";
      if (isKept(visit, verdict)) {
        expect([visit, isRenderedPerRequest(pathname, search)]).toEqual([visit, false]);
        // An address in another spelling redirects everybody, and its answer may not be cached.
        if (isRedirected) expect([visit, decision.status]).toEqual([visit, 308]);
      }
    }
  });

  it("gives two addresses the same key only when the shop shows the same page at both", async () => {
    const rewrites = (await nextConfig.rewrites?.()) as { beforeFiles: { has?: Condition[] }[] };
    const rules = rewrites.beforeFiles.flatMap(({ has }) => (has ? [has] : []));
    const pages = new Map<string, Set<string>>();
    for (const visit of VISITS) {
      const verdict = verdictOf(visit);
      if (!isKept(visit, verdict)) continue;
      const { pathname, searchParams } = new URL(visit.path, "http://shop.test");
      const shown = rules.map((has) => readConditions(has, searchParams));
      const key = `${pathname}?${verdict.query}`;
      pages.set(key, (pages.get(key) ?? new Set()).add(JSON.stringify(shown)));
    }
    expect(pages.size).toBeGreaterThan(40);
    for (const [key, shown] of pages) expect([key, [...shown]]).toEqual([key, [expect.any(String)]]);
    const shows = (path: string) => pages.get(path)?.values().next().value;
    expect(shows("/product/novel?plan=5")).not.toBe(shows("/product/novel?"));
  });

  it("caches every page that the shop caches, in each language and on each surface, and no other", () => {
    for (const { path, cached } of ROUTES)
      for (const locale of LOCALES)
        for (const surface of ["desktop", "mobile"] as const) {
          const page = path.replace("{id}", "7").replace(/\{\w+\}/, "novel");
          const address = localizedPath(page, { locale, surface });
          expect([address, verdictOf({ path: address }).kind === "page"]).toEqual([address, cached === true]);
        }
    for (const path of [
      "/console/x",
      "/robots.txt",
      "/feeds/products.jsonl",
      "/dev/mailbox",
      "/_next/image?x",
      "/nowhere",
    ])
      expect([path, verdictOf({ path }).kind]).toEqual([path, "other"]);
  });

  it("counts searches, calls and pictures as such", () => {
    const kinds: [string, string][] = [
      ["/search?q=a", "search"],
      ["/ja/mobile/search-results", "search"],
      ["/zh/Search/?q=a", "search"],
      ["/blog?page=2&q=a", "search"],
      ["/share-image/en/product/x", "search"],
      ["/api/v1/cart/list", "call"],
      ["/api/v1/product/suggest?keyword=a", "search-call"],
      ["/api/v1/admin/product-image/7?w=96", "picture"],
      ["/admin/product-image/7", "picture"],
      ["/api/v1/payment/stripe/webhook", "notice"],
    ];
    for (const [path, kind] of kinds) expect([path, verdictOf({ path }).kind]).toEqual([path, kind]);
    const known = OPERATIONS.map((operation) => operation.split(" ")[1]);
    for (const call of [...SEARCH_CALLS, "/payment/stripe/webhook"]) expect(known).toContain(call);
  });

  it("gives the same result in nginx itself", needs(nginx, "nginx"), async () => {
    const visits = VISITS.filter(({ path }) => !path.includes(" "));
    const verdicts = await askNginx(visits);
    for (const [index, visit] of visits.entries())
      expect([visit, verdicts[index]]).toEqual([visit, verdictOf(visit)]);
  });
});

describe("the configuration of nginx", () => {
  it("is accepted by nginx -t", needs(nginx, "nginx"), () => {
    const path = writeFront({ dir: mkdtempSync(join(tmpdir(), "front-")), port: 8080, shop: [3001, 3002] });
    expect(checkFront(nginx ?? "", path)).toBe("");
  });

  it(
    "is accepted with the settings of the container, except for what only a newer nginx knows",
    needs(nginx, "nginx"),
    () => {
      const dir = mkdtempSync(join(tmpdir(), "front-"));
      const path = writeFront({ dir, port: 8080, shop: [3001] });
      const values: Record<string, string> = {
        NGINX_LOCAL_RESOLVERS: "127.0.0.11",
        SHOP: "127.0.0.1:3000",
        PROXIES: "10.0.0.0/8",
        SCHEME: "$http_x_forwarded_proto",
      };
      const template = readFileSync("deploy/nginx/container/settings.conf.template", "utf8");
      const text = template
        .replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? "")
        .replace(" resolve ", " ")
        .replace("/var/cache/nginx/passlane", join(dir, "cache"))
        .replace("/dev/stdout", join(dir, "access.log"));
      writeFileSync(join(dir, "passlane", "settings.conf"), text);
      expect(checkFront(nginx ?? "", path)).toBe("");
    },
  );

  it("has an error page in each language for every status that needs one, with the shop's policy", () => {
    const text = readFileSync("deploy/nginx/passlane.conf", "utf8");
    const errors = frontErrors();
    const statuses = [...text.matchAll(/error_page .*\/(\d+)\.\$refusal_type;/g)].map(([, status]) => status);
    expect(new Set(statuses)).toEqual(new Set(Object.keys(errors).map((name) => /\d+/.exec(name)?.[0])));
    const refusal = renderRefusal({ method: "GET", url: "/", headers: {} }, new ShopError("unavailable"));
    for (const name of [
      "Content-Security-Policy",
      "X-Content-Type-Options",
      "Referrer-Policy",
      "Cache-Control",
    ])
      expect(text).toContain(refusal.headers[name]);
    expect(errors["ja/502.html"]).toContain('<html lang="ja">');
    expect(JSON.parse(errors["zh/429.json"] ?? "")).toMatchObject({
      code: "429",
      success: false,
      data: null,
    });
  });

  it("names only existing files", () => {
    for (const name of ["requests.conf", "settings.conf", "listen.conf", "passlane.conf"]) {
      const text = readFileSync(`deploy/nginx/${name}`, "utf8").replace(/^\s*#.*$/gm, "");
      for (const [, path] of text.matchAll(/include passlane\/(\S+);/g))
        expect([path, existsSync(`deploy/nginx/${path}`)]).toEqual([path, true]);
    }
  });
});
