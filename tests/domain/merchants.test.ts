import { sql } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { POST as register } from "@/app/api/v1/business/register/route";
import { db } from "@/db/client";
import { findConsoleApplication } from "@/lib/merchants/console/list-console-applications";
import { normalizeProductUrl } from "@/lib/merchants/rules";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { newId } from "@/lib/platform/crypto/ids";
import { call } from "../api/call";
import * as sale from "../setup/sale";

afterAll(sale.closeSale);

const createForm = (fields: object = {}) => ({
  email: `${newId("m")}@vendor.example`.toLowerCase(),
  productUrl: "quillon.example/app",
  phoneNum: "+81 90-1234-5678",
  ...fields,
});
const postForm = (body: object, language = "en") =>
  call(register, "/business/register", { body, headers: { "accept-language": language } });

describe("POST /business/register", () => {
  it("stores the application with its source and mails the applicant", async () => {
    const body = createForm({ source: "fair", campaign: "tokyo" });
    const response = await postForm(body, "ja");
    expect(response.body).toMatchObject({ code: "200", state: 0, data: { state: "received" } });
    const [row] = await db.execute(sql`select * from merchant_applications where email = ${body.email}`);
    expect(row).toMatchObject({
      product_url: "https://quillon.example/app",
      phone_num: "+819012345678",
      locale: "ja",
      source: { source: "fair", campaign: "tokyo" },
    });
    await sale.runQueue();
    const mails = (await findMailboxMails(body.email)) ?? [];
    expect(mails.map(({ event, locale }) => [event, locale])).toEqual([["application-received", "ja"]]);
  });

  it("shows staff the application with its source, and the customer with its email", async () => {
    const buyer = await sale.createBuyer();
    const { body } = await postForm(createForm({ email: buyer.email, source: "fair" }));
    const id: string = body.data.application_id;
    expect(await findConsoleApplication(id)).toMatchObject({
      application_id: id,
      email: buyer.email,
      state: "received",
      created_at: expect.stringMatching(/Z$/),
      decided_at: null,
      decided_by: null,
      came_from: "fair",
      customer_id: buyer.id,
    });
    expect(await findConsoleApplication("mer_none")).toBeNull();
  });

  it("accepts an email once, ignoring case, also for concurrent requests", async () => {
    const body = createForm();
    const responses = await Promise.all([
      postForm(body),
      postForm(body),
      postForm({ ...body, email: body.email.toUpperCase() }),
    ]);
    expect(responses.map(({ body: { code } }) => code).sort()).toEqual(["200", "409", "409"]);
    expect((await postForm(body)).body.message).toBe("This email is already registered.");
    await db.execute(sql`update merchant_applications set state = 'refused' where email = ${body.email}`);
    expect((await postForm(body)).status).toBe(200);
  });

  it("reads a national number by the language of the form, and stores it in full", async () => {
    const stored: Record<string, string> = { ja: "+81312345678", zh: "+8613800138000" };
    for (const [target_lang, phoneNum] of [
      ["ja", "03-1234-5678"],
      ["zh", "138 0013 8000"],
    ] as const) {
      const body = createForm({ phoneNum, target_lang });
      expect((await postForm(body)).status).toBe(200);
      const rows = await db.execute(
        sql`select phone_num from merchant_applications where email = ${body.email}`,
      );
      expect(rows).toEqual([{ phone_num: stored[target_lang] }]);
    }
    const english = await postForm(createForm({ phoneNum: "03-1234-5678" }));
    expect(english.body.errors?.map(({ path }) => path)).toEqual(["phoneNum"]);
  });

  it("reports every invalid field in the request's language", async () => {
    const { status, body } = await postForm(
      { email: "x@y.example", productUrl: "localhost", phoneNum: "12" },
      "zh",
    );
    expect([status, body.code]).toEqual([400, "40000"]);
    expect(body.errors?.map(({ path }) => path)).toEqual(["productUrl", "phoneNum"]);
    expect(body.errors?.[0]?.message).toMatch(/网址/);
    expect(
      (await postForm({ email: "no", productUrl: "a.example", phoneNum: "+81 90-1234-5678" })).body.code,
    ).toBe("40000");
    expect((await postForm({})).body.errors?.map(({ path }) => path).sort()).toEqual([
      "email",
      "phoneNum",
      "productUrl",
    ]);
  });
});

describe("the product URL", () => {
  it("accepts public web pages only", () => {
    expect(normalizeProductUrl("HTTPS://Quillon.example/App?x=1")).toBe("https://quillon.example/App?x=1");
    for (const invalidUrl of [
      "",
      "javascript:alert(1)",
      "ftp://a.example",
      "http://localhost",
      "http://10.0.0.1",
      "https://user:pass@a.example",
      "https://shop.internal",
      "https://a",
      "mailto:a@b.example",
    ])
      expect(normalizeProductUrl(invalidUrl), invalidUrl).toBeNull();
  });
});
