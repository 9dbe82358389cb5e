import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderRefusal } from "@/lib/platform/http/refusal";
import {
  findRefusal,
  MAX_FIELDS,
  MAX_HEADERS,
  MAX_PATH_LENGTH,
  MAX_QUERY_LENGTH,
} from "@/lib/platform/http/request-limits";

/** All header lines together, by Node's default: it responds with 431 to more, before the language of the reader is known. */
const NODE_HEADER_BYTES = 16 * 1024;

const HOST = ["Host", "shop.example"];
const refusalOf = (url: string, rawHeaders: string[] = HOST) =>
  findRefusal({ url, rawHeaders })?.error ?? null;
const headers = (count: number) => Array.from({ length: count }, (_, n) => [`X-${n}`, "1"]).flat();

describe("findRefusal", () => {
  it("accepts requests up to the limits", () => {
    expect(refusalOf("/")).toBeNull();
    expect(refusalOf(`/${"a".repeat(MAX_PATH_LENGTH - 1)}?${"q".repeat(MAX_QUERY_LENGTH)}`)).toBeNull();
    expect(refusalOf(`/search?${Array(MAX_FIELDS).fill("q=1").join("&")}`)).toBeNull();
    expect(refusalOf("/", [...HOST, ...headers(MAX_HEADERS - 1)])).toBeNull();
    expect(refusalOf("/search?q=%E6%9C%AC%20%0A")).toBeNull();
    expect(refusalOf("/blog/detail/%E6%9C%AC")).toBeNull();
  });

  it("refuses longer addresses, more parameters and more headers", () => {
    expect(refusalOf(`/${"a".repeat(MAX_PATH_LENGTH)}`)).toBe("address_too_long");
    expect(refusalOf(`/?${"q".repeat(MAX_QUERY_LENGTH + 1)}`)).toBe("address_too_long");
    expect(
      refusalOf(
        `/search?${Array(MAX_FIELDS + 1)
          .fill("q")
          .join("&")}`,
      ),
    ).toBe("too_many_fields");
    expect(refusalOf("/", [...HOST, ...headers(MAX_HEADERS)])).toBe("too_many_headers");
  });

  it.each([
    "/%",
    "/%zz",
    "/%E6%9C",
    "/%ED%A0%80",
    "/product/a%00b",
    "/a%0d%0ab",
    "/a%7f",
    "/a%C2%85",
    "/search?q=%00",
    "*",
    "http://other.example/",
    "",
  ])("refuses %j", (url) => expect(refusalOf(url)).toBe("address_invalid"));

  it.each(["shop.example", "shop.example:3000", "127.0.0.1", "[::1]:3000", "my_shop", ""])(
    "accepts the host %j",
    (host) => expect(refusalOf("/", ["host", host])).toBeNull(),
  );

  it.each(["a b", "a/b", "a@b", "a:b", "[::1", "a,b", "a\u00e9", "a:123456"])("refuses the host %j", (host) =>
    expect(refusalOf("/", ["Host", host])).toBe("host_invalid"),
  );

  it("refuses two hosts, even equal ones", () => {
    expect(refusalOf("/", ["Host", "a", "X-A", "b", "hOST", "a"])).toBe("host_invalid");
    expect(refusalOf("/", [])).toBeNull(); // HTTP/1.0
  });
});

describe("renderRefusal", () => {
  const refuse = (url: string, acceptLanguage = "", method = "GET") =>
    renderRefusal(
      { method, url, headers: { "accept-language": acceptLanguage } },
      findRefusal({ url, rawHeaders: [] })!,
    );

  it("returns the envelope for a call, in the language of the request", () => {
    const { status, headers: sent, body } = refuse("/api/v1/product/detail/%00", "ja");
    expect([status, sent["Content-Type"]]).toEqual([400, "application/json; charset=utf-8"]);
    expect(JSON.parse(body)).toEqual({
      code: "400",
      state: 400,
      success: false,
      message: "アドレスが正しくありません。入力に間違いがないかご確認ください。",
      data: null,
    });
    const many = refuse(`/api/v1/product/list?target_lang=zh&${"a&".repeat(MAX_FIELDS)}`, "ja");
    expect(JSON.parse(many.body)).toMatchObject({ code: "40000", message: "请求的字段过多，最多 100 个。" });
    expect(refuse(`/api/v1/product/list?${"a".repeat(5000)}&target_lang=zh`).status).toBe(414);
  });

  it("returns a small page elsewhere, in the language of the path, else of the request", () => {
    const chinese = refuse("/zh/product/%zz", "ja");
    expect(chinese.headers["Content-Type"]).toBe("text/html; charset=utf-8");
    expect(chinese.body).toContain('<html lang="zh-Hans">');
    expect(chinese.body).toContain('<h1 style="font-size: 1.4rem">网址无效，请检查是否有输入错误。</h1>');
    expect(chinese.body).toContain('<a href="/zh">回到首页</a>');
    expect(refuse("/%zz", "ja-JP,en;q=0.5").body).toContain('<html lang="ja">');
    expect(refuse("/%zz").body).toContain("This address is not valid.");
    expect(chinese.body.length).toBeLessThan(1000);
  });

  it("returns no body for HEAD, nothing cacheable and no script", () => {
    const { status, headers: sent, body } = refuse("/%zz", "", "HEAD");
    expect([status, body]).toEqual([400, ""]);
    expect(sent["Cache-Control"]).toBe("no-store");
    expect(sent["Content-Security-Policy"]).toContain("default-src 'none'");
  });
});

describe("a server without a maximum number of headers", () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => response.end(findRefusal(request)?.error ?? "accepted"));
    server.maxHeadersCount = 0;
    await new Promise<void>((done) => server.listen(0, done));
  });
  afterAll(() => void server.close());

  const send = (lines: string[]) =>
    new Promise<string>((done) => {
      let text = "";
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      socket.on("data", (chunk) => (text += chunk)).on("close", () => done(text));
      socket.write(`${["GET / HTTP/1.1", ...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
    });

  it("counts all headers and sees each Host", async () => {
    const many = Array.from({ length: 2500 }, (_, n) => `${n}:`);
    expect(await send(["Host: a", ...many])).toContain("too_many_headers");
    expect(await send([...many.slice(0, 60), "Host: a", ...many.slice(60, 90), "Host: a"])).toContain(
      "host_invalid",
    );
    expect(await send(["Host: a"])).toContain("accepted");
    expect(await send(["Host: a", `X: ${"x".repeat(NODE_HEADER_BYTES)}`])).toContain("431");
  });
});
