import fc from "fast-check";

const bytes = (text: string) => new TextEncoder().encode(text);
const json = { "content-type": "application/json" };

/** Request bodies that match no schema. */
export const MALFORMED_REQUESTS: {
  title: string;
  raw: Uint8Array<ArrayBuffer> | string;
  headers?: Record<string, string>;
}[] = [
  { title: "invalid JSON", raw: "{", headers: json },
  { title: "NaN", raw: '{"quantity":NaN}', headers: json },
  { title: "a list", raw: "[]", headers: json },
  { title: "null", raw: "null", headers: json },
  { title: "a number", raw: "1", headers: json },
  { title: "a text", raw: '"a"', headers: json },
  {
    title: "a prototype",
    raw: '{"__proto__":{"access":"staff"},"constructor":{"prototype":{"a":1}}}',
    headers: json,
  },
  {
    title: "an actor that is an object",
    raw: '{"user_id":{"toString":1},"create_user_id":{"toString":1}}',
    headers: json,
  },
  {
    title: "an actor with lone surrogates",
    raw: '{"user_id":"\\ud800","create_user_id":"\\udc00"}',
    headers: json,
  },
  { title: "duplicate names", raw: '{"user_id":null,"user_id":"usr_other"}', headers: json },
  {
    title: "an escaped surrogate",
    raw: '{"email":"\\ud800@example.com","username":"\\udc00"}',
    headers: json,
  },
  { title: "an escaped NUL", raw: '{"email":"a\\u0000@example.com"}', headers: json },
  {
    title: "invalid UTF-8",
    raw: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    headers: json,
  },
  { title: "20,000 nested lists", raw: "[".repeat(20_000), headers: json },
  { title: "deeply nested objects", raw: `${'{"a":'.repeat(9000)}1${"}".repeat(9000)}`, headers: json },
  { title: "one byte over the limit", raw: bytes(`{"a":"${"x".repeat(64 * 1024 - 7)}"}`), headers: json },
  { title: "a wrong content length", raw: "{}", headers: { ...json, "content-length": "99999999" } },
  { title: "plain text", raw: "{}", headers: { "content-type": "text/plain" } },
  { title: "XML", raw: "<a/>", headers: { "content-type": "application/xml" } },
  { title: "no media type", raw: bytes("{}") },
  { title: "a UTF-16 charset", raw: "{}", headers: { "content-type": "application/json; charset=utf-16" } },
  { title: "a form without its boundary", raw: "a=1", headers: { "content-type": "multipart/form-data" } },
  {
    title: "an incomplete form",
    raw: '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
    headers: { "content-type": "multipart/form-data; boundary=b" },
  },
  {
    title: "a file",
    raw: '--b\r\nContent-Disposition: form-data; name="email"; filename="x"\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--\r\n',
    headers: { "content-type": "multipart/form-data; boundary=b" },
  },
  {
    title: "a malformed form",
    raw: "%=%zz&&=&a[]=1&a[b][c]=2&__proto__=1&%00=1",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  },
  {
    title: "a form with many fields",
    raw: "a=1&".repeat(9000),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  },
  {
    title: "an actor that is cut within a character",
    raw: JSON.stringify({ user_id: `${"a".repeat(63)}😀` }),
    headers: json,
  },
  {
    title: "attribution that is cut within a character",
    raw: JSON.stringify({ source: `${"a".repeat(199)}😀`, campaign: `${"a".repeat(199)}😀` }),
    headers: json,
  },
  {
    title: "NUL in JSON inside a form",
    raw: `user_id={"a":"\\u0000"}&items=${encodeURIComponent('[{"a":"\\u0000"}]')}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  },
];

/** Header values that a request can carry; Node rejects line breaks and NUL itself. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((n) => String.fromCharCode(n)),
  maxLength: 300,
});
export const unusualHeaders: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    "accept-language": fc.oneof(
      headerText,
      fc.constantFrom("zh;q=NaN", "*;q=1e999", "ja;;;,,,en;q=-1", "en".repeat(4000), "__proto__"),
    ),
    "idempotency-key": fc.oneof(headerText, fc.constantFrom("", " ", "x".repeat(201), "a b", "../..", "é")),
    "x-forwarded-for": fc.oneof(
      headerText,
      fc.constantFrom("::1, 10.0.0.1", "' or 1=1", "999.999.999.999", "::ffff:1.2.3.4", "x".repeat(5000)),
    ),
    "x-request-id": headerText,
    "user-agent": headerText,
    "sec-fetch-site": fc.constantFrom("same-origin", "cross-site", "none", "nonsense"),
    origin: fc.constantFrom("http://localhost:3000", "null", "https://evil.example", "not a url", ""),
    authorization: fc.oneof(
      headerText,
      fc.constantFrom("Bearer", "Bearer ", "Bearer a.b.c", "Basic Og==", `Bearer ${"x".repeat(9000)}`),
    ),
    cookie: fc.oneof(
      headerText,
      fc.constantFrom(
        "next-auth.session-token=a.b.c",
        "locale=__proto__",
        ";;;=;=",
        "next-auth.session-token=",
      ),
    ),
  },
  { requiredKeys: [] },
);

/** Query strings that match no schema. */
export const UNUSUAL_QUERIES = [
  "a=%00",
  "q=%01%1f%7f%C2%85",
  Array(150).fill("a=1").join("&"),
  "%ff=%fe",
  "a[]=1&a[]=2",
  "__proto__=1",
  "constructor=1&toString=2",
  "target_lang=xx",
  "target_lang=en&target_lang=ja",
  "source=%00",
  `source=${"x".repeat(9000)}`,
  "=&=&&",
  "page=1e999",
  "page=-1&size=0",
  "user_id=",
  "user_id[]=a&user_id[]=b",
  "%F0%9F%98%80=1",
  "campaign[]=a&campaign[]=b",
];
