import { describe, expect, it } from "vitest";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import { EmailAddress, KnownEmail } from "@/lib/platform/api/fields";
import { EmailPrefix } from "@/lib/platform/console/list";
import { isSender, normalizeSender } from "@/lib/platform/mail/address";

const LONG_DOMAIN = `${"d".repeat(63)}.${"e".repeat(63)}.${"f".repeat(55)}.example`;

describe("an address that email is sent to", () => {
  it.each([
    ["x&y@example.com", "x&y@example.com"],
    ["a/b@example.com", "a/b@example.com"],
    ["x=y@example.com", "x=y@example.com"],
    ["o'hara@example.com", "o'hara@example.com"],
    ["ann+shop@example.com", "ann+shop@example.com"],
    ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
    ["uni@bücher.example", "uni@xn--bcher-kva.example"],
    ["uni@bu\u0308cher.example", "uni@xn--bcher-kva.example"],
    ["info@例え.テスト", "info@xn--r8jz45g.xn--zckzah"],
    ["ｍａｒａ＠ｅｘａｍｐｌｅ．ｃｏｍ", "mara@example.com"],
    ["mara@例え。テスト", "mara@xn--r8jz45g.xn--zckzah"],
    [" Mara@Example.COM\u200b ", "mara@example.com"],
    [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
    [`${"a".repeat(64)}@${LONG_DOMAIN.slice(65)}`, `${"a".repeat(64)}@${LONG_DOMAIN.slice(65)}`],
  ])("accepts %s", (typed, stored) => {
    expect(EmailAddress.parse(typed)).toBe(stored);
    expect(EmailAddress.parse(stored)).toBe(stored);
    expect(KnownEmail.parse(typed)).toBe(stored);
    expect(isEmailLike(typed)).toBe(true);
  });

  it.each([
    `${"a".repeat(65)}@example.com`,
    `${"a".repeat(64)}@${LONG_DOMAIN}`,
    ".a@example.com",
    "a.@example.com",
    "a..b@example.com",
    "a@b@example.com",
    "a＠b@example.com",
    "a b@example.com",
    '"a b"@example.com',
    "a@example",
    "a@example.123",
    "a@-example.com",
    "a@exam%70le.com",
    "a@bücher.example/path",
    `a@${"ü".repeat(60)}.example`,
    "a@[127.0.0.1]",
    "josé@example.com",
    "a\r\nbcc:b@example.com",
    "@example.com",
    "",
  ])("refuses %j", (typed) => {
    expect(EmailAddress.safeParse(typed).error?.issues[0]).toMatchObject({ message: "email_invalid" });
  });
});

describe("an address that is looked up", () => {
  it.each([
    "mailto:Mara@example.com",
    "<mara@example.com>",
    "Mara <mara@example.com>",
    "＜ｍａｒａ＠example.com＞",
  ])("is read from %s", (typed) => {
    expect(KnownEmail.parse(typed)).toBe("mara@example.com");
    expect(EmailPrefix.parse(typed)).toBe("mara@example.com");
  });

  it("may belong to an account from before the limit of 64 letters", () => {
    const stored = `${"a".repeat(66)}@example.com`;
    expect(KnownEmail.parse(stored)).toBe(stored);
  });
});

describe("the sender", () => {
  it("may have an internationalized domain, which is written in ASCII", () => {
    const from = normalizeSender("Bücher <Hallo@bücher.example>");
    expect(from).toBe("Bücher <hallo@xn--bcher-kva.example>");
    expect(isSender(from)).toBe(true);
    expect(normalizeSender("shop@localhost")).toBe("shop@localhost");
    expect(isSender("shop@localhost")).toBe(true);
    expect(isSender("Bücher")).toBe(false);
  });
});
