import { execFile } from "node:child_process";
import { userInfo } from "node:os";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createProduct, createSinglePlan } from "@/db/factories/catalog";
import { setReviews } from "@/db/factories/reviews";
import { findProductView } from "@/lib/catalog/product/find-product-view";
import { productSeo } from "@/lib/catalog/seo";
import { decideApplication } from "@/lib/merchants/decide-application";
import { registerBusiness } from "@/lib/merchants/register-business";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { getOrder } from "@/lib/orders/find-order";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { newId } from "@/lib/platform/crypto/ids";
import { listReviews } from "@/lib/reviews/list-reviews";
import { formatTable, toPlainLine } from "@/scripts/staff/command";
import * as sale from "../setup/sale";
import { runJsonCommand, runStaffCommand, seenOption } from "../setup/staff";

beforeAll(() => sale.receiveEventsInProcess());
afterAll(sale.closeSale);

const listAuditRows = async (subject: string) => [
  ...(await db.execute<{ actor: string; action: string; detail: object }>(
    sql`select actor, action, detail from audit_entries where subject = ${subject} order by id`,
  )),
];
const actor = `staff:${userInfo().username}`;
const createApplication = async (email = `${newId("m")}@vendor.example`.toLowerCase()) => {
  const form = {
    email,
    productUrl: `quillon-${email.split("@")[0]?.replace("_", "-")}.example/app`,
    phoneNum: "+81 90-1234-5678",
  };
  return { id: (await registerBusiness(form, { source: "fair" }, "zh")).application_id, email };
};
const listMails = async (email: string) => {
  await sale.runQueue();
  return ((await findMailboxMails(email)) ?? []).map(({ event, locale, text }) => ({ event, locale, text }));
};

describe("applications", () => {
  it("are listed, shown, and approved once, with a mail and an audit row", async () => {
    const { id, email } = await createApplication();
    const { code, output } = await runStaffCommand("applications", "list");
    expect(code).toBe(0);
    expect((await runStaffCommand("applications", "show", id)).output).toMatch(/came from {2}source=fair/);
    const seen = await seenOption(id, "applications", "list");
    expect(output).toMatch(new RegExp(`^${id}  ${seen[1]}  received  .*  ${email}  https://quillon`, "m"));
    for (const old of [[], ["--version", "0000"]])
      for (const decide of [["approve"], ["refuse", "--note", "No"]])
        expect(
          await runStaffCommand("applications", decide[0]!, id, ...decide.slice(1), ...old),
        ).toMatchObject({
          code: 1,
          output: expect.stringContaining("has changed since"),
        });
    expect(await runStaffCommand("applications", "approve", id, ...seen)).toEqual({
      code: 0,
      output: `The application of ${email} is approved; the applicant is notified by email.`,
    });
    expect((await runStaffCommand("applications", "approve", id)).output).toContain("nothing was changed");
    expect(await runStaffCommand("applications", "refuse", id, "--note", "No")).toEqual({
      code: 1,
      output: `!The application ${id} is approved already.`,
    });
    expect(await listAuditRows(id)).toEqual([
      { actor: actor, action: "application_approved", detail: { applicationId: id } },
    ]);
    expect((await listMails(email)).map(({ event, locale }) => `${event} ${locale}`).sort()).toEqual([
      "application-approved zh",
      "application-received zh",
      "merchant-invite zh",
    ]);
    const openApplications = await runJsonCommand("applications", "list");
    expect(openApplications.map((row: { id: string }) => row.id)).not.toContain(id);
    const application = await runJsonCommand("applications", "show", id);
    expect(application).toMatchObject({ state: "approved", decidedBy: actor });
    expect(application.createdAt).toBe(new Date(application.createdAt).toISOString());
  });

  it("are refused with a reason in the mail, and may be filed again", async () => {
    const { id, email } = await createApplication();
    expect((await runStaffCommand("applications", "refuse", id)).output).toMatch(
      /^!--note "…" is needed\.\nUsage: /,
    );
    expect((await runStaffCommand("applications", "refuse", id, "--note", "  ")).code).toBe(2);
    expect(
      (
        await runStaffCommand(
          "applications",
          "refuse",
          id,
          ...(await seenOption(id, "applications", "list")),
          "--note",
          "The <b>codes</b> expire.",
        )
      ).code,
    ).toBe(0);
    const refused = (await listMails(email)).find(({ event }) => event === "application-refused");
    expect(refused?.text).toContain("The <b>codes</b> expire.");
    await createApplication(email);
  });

  it("get one decision from concurrent ones", async () => {
    const { id, email } = await createApplication();
    const decided = await Promise.all(
      (["approved", "refused", "approved", "refused"] as const).map((state) =>
        decideApplication(id, { state, decidedBy: `staff:${state}` }),
      ),
    );
    expect(decided.filter((decision) => decision?.outcome === "decided")).toHaveLength(1);
    expect(new Set(decided.map((decision) => decision?.state)).size).toBe(1);
    expect(await listAuditRows(id)).toHaveLength(1);
    const approved = decided[0]?.state === "approved";
    expect(await listMails(email)).toHaveLength(approved ? 3 : 2);
  });
});

describe("reviews", () => {
  const seen = ({ version }: { version: string }) => ["--version", version];

  it("are removed from page, rating and structured data when hidden, and restored when shown", async () => {
    const product = await createProduct();
    await setReviews(product.slug, [5, 1]);
    const getMarkup = async () => {
      const view = await findProductView({ slug: product.slug, locale: "en" });
      const location = {
        origin: "https://shop.example",
        brand: "Shop",
        locale: "en",
        surface: "desktop",
      } as const;
      const labels = { home: "Home", passName: () => "Pass", title: (name: string) => name };
      return JSON.stringify(productSeo(view!.product, location, labels, view!.reviews).jsonLd);
    };
    const summary = async () => (await listReviews({ product_id: product.id, page: 1, size: 5 })).summary;
    const badReview = (await runJsonCommand("reviews", "list")).find(
      (row: { product: string; rating: number }) => row.product === product.slug && row.rating === 1,
    );
    expect(await getMarkup()).toContain('"reviewCount":2');
    expect(
      await runStaffCommand("reviews", "hide", badReview.id, ...seen(badReview), "--reason", "insults"),
    ).toEqual({
      code: 0,
      output: `The review ${badReview.id} is hidden.`,
    });
    expect(await summary()).toMatchObject({ average: 5, count: 1, stars: [0, 0, 0, 0, 1] });
    expect(await getMarkup()).toContain('"reviewCount":1');
    expect(await getMarkup()).not.toContain(badReview.title);
    expect((await runStaffCommand("reviews", "list", "--hidden")).output).toMatch(
      new RegExp(`^${badReview.id} .*insults$`, "m"),
    );
    expect(
      (await runStaffCommand("reviews", "hide", badReview.id, ...seen(badReview), "--reason", "again"))
        .output,
    ).toContain("nothing was changed");
    const [hidden] = (await runJsonCommand("reviews", "list", "--hidden")).filter(
      ({ id }: { id: string }) => id === badReview.id,
    );
    for (const version of [[], seen(badReview)])
      expect(await runStaffCommand("reviews", "show", badReview.id, ...version)).toMatchObject({
        code: 1,
        output: expect.stringContaining("has changed since"),
      });
    expect((await runStaffCommand("reviews", "show", badReview.id, ...seen(hidden))).code).toBe(0);
    expect(await summary()).toMatchObject({ average: 3, count: 2 });
    expect(await listAuditRows(badReview.id)).toEqual([
      { actor: actor, action: "review_hidden", detail: { reason: "insults" } },
      { actor: actor, action: "review_shown", detail: {} },
    ]);
  });
});

describe("refunds", () => {
  const createRefundRequest = async () => {
    const buyer = await sale.createBuyer();
    const planId = (await createSinglePlan({ type: "month", keys: 1 })).id;
    const orderId = await sale.sell(buyer, planId);
    const [line] = (await getOrder(buyer.viewer, orderId, "en")).order_products;
    const wish = { order_id: orderId, order_product_id: line!.order_product_id };
    await requestRefund(buyer.viewer, wish, "en");
    const openApplications = await runJsonCommand("refunds", "list");
    const request = openApplications.find((row: { orderId: string }) => row.orderId === orderId);
    const seen = ["--version", request.version as string];
    return { orderId, id: request.id as string, email: buyer.email, seen };
  };

  it("are listed, approved and paid", async () => {
    const { orderId, id, email, seen } = await createRefundRequest();
    for (const old of [[], ["--version", "0000"]])
      for (const decide of [["approve"], ["refuse", "--reason", "used"]])
        expect(await runStaffCommand("refunds", decide[0]!, id, ...decide.slice(1), ...old)).toMatchObject({
          code: 1,
          output: expect.stringContaining("has changed since"),
        });
    expect((await runStaffCommand("refunds", "list")).output).toMatch(
      new RegExp(`^${id}  ${seen[1]}  .*  \\$10\\.00  .*${email}`, "m"),
    );
    expect((await runStaffCommand("refunds", "approve", id, ...seen)).output).toMatch(
      /is approved; the codes are locked/,
    );
    expect((await runStaffCommand("refunds", "approve", id)).output).toContain("nothing was changed");
    expect((await runStaffCommand("refunds", "refuse", id, "--reason", "used")).code).toBe(1);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect((await listAuditRows(orderId)).map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      `${actor} refund_request_decided`,
    ]);
  });

  it("are refused with a reason", async () => {
    const { orderId, id, email, seen } = await createRefundRequest();
    expect((await runStaffCommand("refunds", "refuse", id)).code).toBe(2);
    const refused = await runStaffCommand(
      "refunds",
      "refuse",
      id,
      ...seen,
      "--reason",
      "In use since Tuesday",
    );
    expect(refused.code).toBe(0);
    expect((await runStaffCommand("refunds", "approve", id)).output).toMatch(
      /^!.* is refused already; --overrule/,
    );
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    const mail = (await listMails(email)).find(({ event }) => event === "refund-refused");
    expect(mail?.text).toContain("In use since Tuesday");
    // The refusal is overruled.
    expect((await runStaffCommand("refunds", "approve", id, ...seen, "--overrule")).code).toBe(1);
    const refusedAs = await seenOption(id, "refunds", "list", "--refused");
    expect((await runStaffCommand("refunds", "approve", id, ...refusedAs, "--overrule")).code).toBe(0);
    expect((await runStaffCommand("refunds", "approve", id, "--overrule")).output).toContain(
      "nothing was changed",
    );
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
  });
});

describe("the staff command", () => {
  it.each([
    [[], 2, /^!Usage: npm run staff/],
    [["--help"], 0, /applications list \[--all\]/],
    [["applications"], 2, /^!Usage: npm run staff[\s\S]*applications approve/],
    [["applications", "toString"], 2, /^!Usage/],
    [["constructor", "list"], 2, /^!Usage/],
    [["reviews", "hide"], 2, /^!Name exactly one id/],
    [["reviews", "hide", "a", "b", "--reason", "x"], 2, /^!Name exactly one id/],
    [["reviews", "list", "--all"], 2, /^!There is no option --all/],
    [["reviews", "hide", "rev_none", "--reason", "x"], 1, /^!There is no review rev_none\.$/],
    [["refunds", "approve", "rrq_none"], 1, /^!There is no refund request rrq_none\.$/],
    [["applications", "show", "mer_none"], 1, /^!There is no application mer_none\.$/],
  ] as [string[], number, RegExp][])("%j exits with %i and a message", async (args, code, message) => {
    const result = await runStaffCommand(...args);
    expect(result.code).toBe(code);
    expect(result.output).toMatch(message);
  });

  it("aligns columns with wide letters, and strips control characters", () => {
    expect(
      formatTable(
        ["a", "b"],
        [
          ["日本", "x"],
          ["abc", "\u001b[31mred\u202e"],
        ],
        "",
      ),
    ).toBe("a     b\n日本  x\nabc   [31mred");
    expect(toPlainLine("one\ntwo\u0007")).toBe("one two");
  });

  it("runs as its own process", async () => {
    const { id, email } = await createApplication();
    const result = await new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const args = ["--import", "tsx", "scripts/staff.ts", "applications", "list", "--json"];
      execFile(process.execPath, args, (error, out, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
      );
    });
    expect(result).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(result.out)).toContainEqual(expect.objectContaining({ id, email }));
  });
});
