import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { KeysPass, KeysProps } from "@/emails/keys";
import type { PassEndingProps } from "@/emails/pass-ending";
import { type RenderedMail, renderMail } from "@/emails/render";
import type { MailSample } from "@/emails/samples";
import { mailSamples } from "@/emails/samples";
import { MAIL_EVENTS } from "@/lib/notifications/rules";
import { HTML_LANG, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import en from "@/messages/en.json";
import ja from "@/messages/ja.json";
import zh from "@/messages/zh.json";
import { previewFolder, previewMails } from "@/scripts/preview-mails";

const sender = { brand: "Passlane", url: "https://shop.example" };
const renderSample = ({ event, props }: MailSample, locale: Locale) =>
  renderMail(event, props, locale, sender);

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'" };
const decodeEntities = (html: string) => html.replace(/&(#?\w+);/g, (all, name) => ENTITIES[name] ?? all);
/** The texts of all `code` elements. */
const readCodes = ({ html }: RenderedMail) =>
  [...html.matchAll(/<code[^>]*>([\s\S]*?)<\/code>/g)].map((match) => decodeEntities(match[1]!));

/** An email without the only pictures that it may have: the holes of its tickets, which name no reader. */
const withoutHoles = (html: string) =>
  html.replace(
    /<img src="https:\/\/shop\.example\/share-image\/en\/holes\/(?:endless|\d+-\d+p?)" alt="[^"<]*"/g,
    "<i",
  );

describe("npm run mails:preview", () => {
  it("writes every email in every language into the data folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mails-"));
    expect(previewFolder(folder)).toBe(join(folder, "mail-preview"));
    expect(previewFolder("")).toBe(join(process.cwd(), ".data", "mail-preview"));
    const written = await previewMails(previewFolder(folder));
    expect(written).toHaveLength(LOCALES.flatMap(mailSamples).length);
    expect(readdirSync(previewFolder(folder))).toHaveLength(written.length * 2);
    const readPreview = (file: string) => readFileSync(join(previewFolder(folder), file), "utf8");
    expect(readPreview("discount-alert.en.txt")).toContain("/unsubscribe?token=");
    expect(readPreview("welcome.en.txt")).not.toContain("/unsubscribe?token=");
    rmSync(folder, { recursive: true });
  });
});

describe.each(LOCALES)("emails in %s", (locale) => {
  const samples = mailSamples(locale);

  it("explain to a gift's recipient, who may have no account, why they came", async () => {
    const { emails } = { en, zh, ja }[locale];
    const reason = (text: string) => text.replace("{brand}", "Passlane");
    const [gift, welcome] = await Promise.all(
      (["gift", "welcome"] as const).map((event) =>
        renderSample(samples.find((each) => each.event === event)!, locale),
      ),
    );
    expect(gift!.text).toContain(reason(emails.frame.why_gift));
    expect(gift!.text).not.toContain(reason(emails.frame.why));
    expect(welcome!.text).toContain(reason(emails.frame.why));
  });

  it("name the amount, the receipt and the right to cancel when codes come later", async () => {
    const { emails } = { en, zh, ja }[locale];
    for (const sample of samples.filter(({ event }) => event === "delay")) {
      const { text } = await renderSample(sample, locale);
      const [beforeAmount] = emails.order.paid.split("{amount}");
      expect(text).toContain(`${beforeAmount}${locale === "en" ? "$" : "US$"}117.00`);
      expect(text).toContain("/receipt?order_id=");
      expect(text).toContain(emails.delay.lead);
      expect(emails.delay.lead).toMatch(/cancel|取消|キャンセル/);
    }
  });

  it("have a sample for every event", () => {
    expect(new Set(samples.map(({ event }) => event))).toEqual(new Set(MAIL_EVENTS));
  });

  it.each(samples.map((sample) => [sample.name, sample] as const))("%s is complete", async (_, sample) => {
    const mail = await renderSample(sample, locale);
    for (const part of [mail.subject, mail.html, mail.text]) {
      expect(part).not.toMatch(/emails\.|\{\w+\}|undefined|\[object|NaN|Invalid Date/);
    }
    expect(mail.subject).toMatch(/^[^\n\r]{5,120}$/);
    expect(mail.html).toContain(`lang="${HTML_LANG[locale]}"`);
    expect(withoutHoles(mail.html)).not.toMatch(/<script|<img|javascript:|preload/);
    expect(mail.text).not.toMatch(/<\/?[a-z]+[ >]/);
    const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map((match) => match[1]!);
    const home = locale === "en" ? "https://shop.example/" : `https://shop.example/${locale}`;
    for (const link of links)
      expect(
        [home, "https://quillon.example/", "mailto:support@"].some((start) => link.startsWith(start)),
      ).toBe(true);
    for (const code of readCodes(mail)) expect(mail.text.split("\n")).toContain(code);
  });

  it("list an order whose lines, discount and total add up", async () => {
    const orderPlaced = samples.find(({ event }) => event === "order-placed")!;
    const { html } = await renderSample(orderPlaced, locale);
    const cells = [...html.matchAll(/<td[^>]*data-cell="value"[^>]*>([^<]*)</g)].map(([, text = ""]) => {
      const cents = Math.round(Number(text.replace(/[^\d.]/g, "")) * 100);
      return text.includes("−") ? -cents : cents;
    });
    const [week, months, lifetime, subtotal, discount, total] = cells;
    expect(cells).toHaveLength(6);
    expect(discount).toBeLessThan(0);
    expect(week! + months! + lifetime!).toBe(subtotal);
    expect(subtotal! + discount!).toBe(total);
  });

  it("name passes as the catalog does", async () => {
    const { month, week } = { en, zh, ja }[locale].catalog.pass_type;
    const orderPlaced = samples.find(({ event }) => event === "order-placed")!;
    const { text } = await renderSample(orderPlaced, locale);
    for (const name of [month, week]) expect(text).toContain(name);
  });

  it("with codes name the amount paid and link to the receipt", async () => {
    const { text, html } = await renderSample(samples.find(({ name }) => name === "keys-one")!, locale);
    expect(text).toContain("24.80");
    expect(html).toMatch(/href="[^"]*\/receipt\?order_id=/);
  });

  it("with a replacement say that the earlier code no longer works", async () => {
    const text = async (name: string) => {
      const mail = await renderSample(samples.find((sample) => sample.name === name)!, locale);
      return `${mail.subject} ${mail.text}`;
    };
    const says = { en: "no longer work", zh: "之前的激活码已不能使用", ja: "以前のコードはもう使えません" }[
      locale
    ];
    const subject = { en: "replacement code", zh: "更换的激活码", ja: "交換後のコード" }[locale];
    for (const name of ["keys-replaced", "keys-gift-replaced"]) {
      expect(await text(name)).toContain(says);
      expect(await text(name)).toContain(subject);
    }
    for (const name of ["keys-one", "keys-many", "keys-library", "keys-gift"])
      expect(await text(name)).not.toContain(says);
  });

  it("are identical at every retry", async () => {
    for (const sample of samples)
      expect(await renderSample(sample, locale)).toEqual(await renderSample(sample, locale));
  });

  it("contain no six digits except the code, so that it can be found automatically", async () => {
    const mail = await renderMail(
      "verification-code",
      { purpose: "register", code: "407193" },
      locale,
      sender,
    );
    for (const part of [mail.subject, mail.html, mail.text])
      expect(new Set(part.match(/(?<!\d)\d{6}(?!\d)/g))).toEqual(new Set(["407193"]));
  });
});

const HOSTILE = [
  'A-<B>&"',
  "it's--a...code",
  "&lt;b&gt;&amp;&quot;",
  "<code>x</code>",
  "A  B   C",
  "$& $1 {name} %s \\n",
  "fi-ff-1l0O-->=>",
  "“quoted”—ﬁ×２",
  "https://x.example/?a=1&b=2",
  "user@example.com",
  "0049 30 1234567",
  "{{product}}",
  "密钥-ＡＢＣ-キー",
  "x".repeat(64),
  `${"LONG-".repeat(60)}END`,
];

function keysProps(codes: string[]): KeysProps {
  const [sample] = mailSamples("en").filter(({ name }) => name === "keys-one");
  const [pass] = (sample!.props as KeysProps).passes;
  const line: KeysPass = { ...pass!, codes: codes.map((code) => ({ keyId: "key_x", code, redeemBy: null })) };
  return {
    orderId: "ord_x",
    passes: [line],
    reader: "owner",
    giftDay: null,
    withdrawal: true,
    agreedAt: null,
    totalCents: 0,
    replacement: false,
    sellers: [],
  };
}

describe("a code's redemption deadline", () => {
  // Keys hold the last second of the day in UTC, which is the next day in Japan.
  const redeemBy = new Date("2028-12-31T23:59:59Z");
  const inJapan = { timeZone: "Asia/Tokyo" };

  it("is the same day in every zone", async () => {
    const props = keysProps(["CODE-1"]);
    props.passes[0]!.codes[0]!.redeemBy = redeemBy;
    expect((await renderMail("keys", props, "ja", sender, inJapan)).text).toContain(
      "引き換えは2028年12月31日まで",
    );
    const { props: ending } = mailSamples("ja").find(({ name }) => name === "pass-ending-redeem")!;
    const reminder = await renderMail(
      "pass-ending",
      { ...(ending as PassEndingProps), at: redeemBy },
      "ja",
      sender,
      inJapan,
    );
    expect(reminder.text).toContain("2028年12月31日まで");
  });
});

describe("the refund line of codes that the shop does not refund", () => {
  const until = "2026-12-13T12:00:00.000Z";
  const render = async (kept: number, withdrawal: boolean) => {
    const props = { ...keysProps(kept > 0 ? [] : ["CODE-1"]), withdrawal };
    const right = withdrawal
      ? ({ state: kept > 0 ? "open" : "seen", amount: kept > 0 ? 29 : 0, until } as const)
      : null;
    const refund = {
      refundable: false,
      amount: 0,
      until: null,
      reason: "short_pass",
      days: 15,
      right,
    } as const;
    props.passes = [{ ...props.passes[0]!, keptInLibrary: kept, refund }];
    return (await renderMail("keys", props, "en", sender)).text;
  };

  it("names the right of withdrawal of codes that are unseen, where it applies", async () => {
    expect(await render(1, true)).toContain(
      "$29.00 back until 13 December 2026 while the code is neither shown nor emailed",
    );
    expect(await render(1, false)).toContain("Not refundable: passes under 30 days");
    expect(await render(0, true)).toContain("No refund: the code has been shown or emailed"); // by the mail itself
  });
});

describe("a pass code in an email", () => {
  it.each(LOCALES)("is exact in both parts, with any characters (%s)", async (locale) => {
    const mail = await renderMail("keys", keysProps(HOSTILE), locale, sender);
    expect(readCodes(mail)).toEqual(HOSTILE);
    const lines = mail.text.split("\n");
    for (const code of HOSTILE) expect(lines).toContain(code);
  });

  it("is not in the subject, which a locked screen shows", async () => {
    const { subject } = await renderMail("keys", keysProps(["ONLY-ME"]), "en", sender);
    expect(subject).not.toContain("ONLY-ME");
  });

  it("is escaped, as are names", async () => {
    const props = keysProps(["<img src=x onerror=alert(1)>"]);
    props.passes[0]!.productName = "<script>alert(1)</script>\r\nBcc: x@example.com";
    const mail = await renderMail("keys", props, "en", sender);
    expect(withoutHoles(mail.html)).not.toMatch(/<script|<img/);
    expect(mail.subject).not.toMatch(/[\r\n]/);
  });

  it("stays below Gmail's clipping size in a large order", async () => {
    const codes = Array.from({ length: 100 }, (_, n) => `QLN-MGKS-ADRX-${1000 + n}`);
    const { html } = await renderMail("keys", keysProps(codes), "en", sender);
    expect(Buffer.byteLength(html)).toBeLessThan(102 * 1024);
  });
});

describe("the email about a merchant's name", () => {
  const render = (decision: "approved" | "refused", refused: string | null, locale: Locale = "en") =>
    renderMail(
      "merchant-name",
      { merchant: "Alder Works", handle: "alder", decision, refused, note: "" },
      locale,
      sender,
    );

  it.each(LOCALES)("names the refused name in its text alone, escaped (%s)", async (locale) => {
    const name = "Cedar & <b>Sons</b>";
    const mail = await render("refused", name, locale);
    expect(mail.text).toContain(name);
    expect(mail.html).toContain("Cedar &amp; &lt;b&gt;Sons&lt;/b&gt;");
    expect(mail.html).not.toContain("<b>Sons");
    expect(mail.subject).not.toContain("Cedar");
    // The preview, which an inbox shows beside the subject, is the first text of the email.
    expect(mail.html.indexOf("Cedar")).toBeGreaterThan(mail.html.indexOf("<h1"));
  });

  it("mentions no other name when it was approved, or queued by an earlier release", async () => {
    for (const decision of ["approved", "refused"] as const)
      expect((await render(decision, null)).text).not.toContain("You asked for the name");
  });
});

describe("email-changed", () => {
  it("shows the new address masked", async () => {
    const mail = await renderMail(
      "email-changed",
      { address: "mara.l@example.com", orderId: "ord_sample" },
      "en",
      sender,
    );
    expect(mail.html + mail.text).not.toContain("mara.l@");
    expect(mail.text).toContain("m•••@example.com");
  });
});
