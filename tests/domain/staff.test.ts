import { execFile } from "node:child_process";
import { userInfo } from "node:os";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { setReviews } from "@/db/factories/reviews";
import { findProductView } from "@/lib/catalog/product/queries";
import { productSeo } from "@/lib/catalog/seo";
import { decideApplication, registerBusiness } from "@/lib/merchants/commands";
import { findMailboxMails } from "@/lib/notifications/queries";
import { getOrder } from "@/lib/orders/queries";
import { requestRefund } from "@/lib/orders/refunds/commands-requests";
import { newId } from "@/lib/platform/crypto/ids";
import { listReviews } from "@/lib/reviews/queries";
import { runStaff } from "@/scripts/staff";
import { plain, table } from "@/scripts/staff-command";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 60_000 });
beforeAll(() => sale.receiveEventsHere());
afterAll(sale.endSale);

/** One command line: its exit code and what it said, `!` before what went to the error stream. */
async function staff(...line: string[]) {
  const said: string[] = [];
  const code = await runStaff(line, { out: (text) => said.push(text), err: (text) => said.push(`!${text}`) });
  return { code, said: said.join("\n") };
}
const listed = async (...line: string[]) => JSON.parse((await staff(...line, "--json")).said);
const auditOf = async (subject: string) => [
  ...(await db.execute<{ actor: string; action: string; detail: object }>(
    sql`select actor, action, detail from audit_entries where subject = ${subject} order by id`,
  )),
];
const me = `staff:${userInfo().username}`;
const apply = async (email = `${newId("m")}@maker.example`.toLowerCase()) => {
  const form = { email, productUrl: "quillon.example/app", phoneNum: "+81 90-1234-5678" };
  return { id: (await registerBusiness(form, { source: "fair" }, "zh")).application_id, email };
};
const mailsTo = async (email: string) => {
  await sale.runQueue();
  return ((await findMailboxMails(email)) ?? []).map(({ event, locale, text }) => ({ event, locale, text }));
};

describe("applications", () => {
  it("are listed, shown, and approved once, with a mail and an audit row", async () => {
    const { id, email } = await apply();
    const { code, said } = await staff("applications", "list");
    expect(code).toBe(0);
    expect(said).toMatch(new RegExp(`^${id}  received  .*  ${email}  https://quillon`, "m"));
    expect((await staff("applications", "show", id)).said).toMatch(/came from {2}source=fair/);
    expect(await staff("applications", "approve", id)).toEqual({
      code: 0,
      said: `The application of ${email} is approved; the applicant is told by mail.`,
    });
    expect((await staff("applications", "approve", id)).said).toContain("nothing was changed");
    expect(await staff("applications", "refuse", id, "--note", "No")).toEqual({
      code: 1,
      said: `!The application ${id} is approved already.`,
    });
    expect(await auditOf(id)).toEqual([
      { actor: me, action: "application_approved", detail: { applicationId: id } },
    ]);
    expect((await mailsTo(email)).map(({ event, locale }) => `${event} ${locale}`).sort()).toEqual([
      "application-approved zh",
      "application-received zh",
    ]);
    const open = await listed("applications", "list");
    expect(open.map((one: { id: string }) => one.id)).not.toContain(id);
    const shown = await listed("applications", "show", id);
    expect(shown).toMatchObject({ state: "approved", decidedBy: me });
    expect(shown.createdAt).toBe(new Date(shown.createdAt).toISOString());
  });

  it("are refused with a reason that the applicant reads, and may come again", async () => {
    const { id, email } = await apply();
    expect((await staff("applications", "refuse", id)).said).toMatch(/^!--note "…" is needed\.\nUsage: /);
    expect((await staff("applications", "refuse", id, "--note", "  ")).code).toBe(2);
    expect((await staff("applications", "refuse", id, "--note", "The <b>codes</b> expire.")).code).toBe(0);
    const refused = (await mailsTo(email)).find(({ event }) => event === "application-refused");
    expect(refused?.text).toContain("The <b>codes</b> expire.");
    await apply(email);
  });

  it("have one decision when two decide at once", async () => {
    const { id, email } = await apply();
    const decided = await Promise.all(
      (["approved", "refused", "approved", "refused"] as const).map((state) =>
        decideApplication(id, { state, decidedBy: `staff:${state}` }),
      ),
    );
    expect(decided.filter((one) => one?.outcome === "decided")).toHaveLength(1);
    expect(new Set(decided.map((one) => one?.state)).size).toBe(1);
    expect(await auditOf(id)).toHaveLength(1);
    expect(await mailsTo(email)).toHaveLength(2);
  });
});

describe("reviews", () => {
  it("that are hidden vanish from page, rating and markup, and come back", async () => {
    const product = await createProduct();
    await setReviews(product.slug, [5, 1]);
    const markup = async () => {
      const view = await findProductView({ slug: product.slug, locale: "en" });
      const place = {
        origin: "https://shop.example",
        brand: "Shop",
        locale: "en",
        surface: "desktop",
      } as const;
      const words = { home: "Home", passName: () => "Pass", title: (name: string) => name };
      return JSON.stringify(productSeo(view!.product, place, words, view!.reviews).jsonLd);
    };
    const summary = async () => (await listReviews({ product_id: product.id, page: 1, size: 5 })).summary;
    const bad = (await listed("reviews", "list")).find(
      (one: { product: string; rating: number }) => one.product === product.slug && one.rating === 1,
    );
    expect(await markup()).toContain('"reviewCount":2');
    expect(await staff("reviews", "hide", bad.id, "--reason", "insults")).toEqual({
      code: 0,
      said: `The review ${bad.id} is hidden.`,
    });
    expect(await summary()).toMatchObject({ average: 5, count: 1, stars: [0, 0, 0, 0, 1] });
    expect(await markup()).toContain('"reviewCount":1');
    expect(await markup()).not.toContain(bad.title);
    expect((await staff("reviews", "list", "--hidden")).said).toMatch(
      new RegExp(`^${bad.id} .*insults$`, "m"),
    );
    expect((await staff("reviews", "hide", bad.id, "--reason", "again")).said).toContain(
      "nothing was changed",
    );
    expect((await staff("reviews", "show", bad.id)).code).toBe(0);
    expect(await summary()).toMatchObject({ average: 3, count: 2 });
    expect(await auditOf(bad.id)).toEqual([
      { actor: me, action: "review_hidden", detail: { reason: "insults" } },
      { actor: me, action: "review_shown", detail: {} },
    ]);
  });
});

describe("refunds", () => {
  const asked = async () => {
    const buyer = await sale.newBuyer();
    const planId = (await createProduct({ plans: [{ type: "month", keys: 1 }] })).plans[0]!.id;
    const orderId = await sale.sell(buyer, planId);
    const [line] = (await getOrder(buyer.viewer, orderId, "en")).order_products;
    const wish = { order_id: orderId, order_product_id: line!.order_product_id };
    await requestRefund(buyer.viewer, wish, "en");
    const open = await listed("refunds", "list");
    const request = open.find((one: { orderId: string }) => one.orderId === orderId);
    return { orderId, id: request.id as string, email: buyer.email };
  };

  it("are listed, approved and paid", async () => {
    const { orderId, id, email } = await asked();
    expect((await staff("refunds", "list")).said).toMatch(
      new RegExp(`^${id}  .*  \\$10\\.00  .*${email}`, "m"),
    );
    expect((await staff("refunds", "approve", id)).said).toMatch(/is approved; the codes are locked/);
    expect((await staff("refunds", "approve", id)).said).toContain("nothing was changed");
    expect((await staff("refunds", "refuse", id, "--reason", "used")).code).toBe(1);
    await sale.runQueue();
    expect(await sale.statusOf(orderId)).toBe("refunded");
    expect((await auditOf(orderId)).map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      `${me} refund_request_decided`,
    ]);
  });

  it("are refused with a reason", async () => {
    const { orderId, id, email } = await asked();
    expect((await staff("refunds", "refuse", id)).code).toBe(2);
    expect((await staff("refunds", "refuse", id, "--reason", "In use since Tuesday")).code).toBe(0);
    expect((await staff("refunds", "approve", id)).said).toMatch(/^!.* is refused already; --overrule/);
    expect(await sale.statusOf(orderId)).toBe("completed");
    const mail = (await mailsTo(email)).find(({ event }) => event === "refund-refused");
    expect(mail?.text).toContain("In use since Tuesday");
    // Looked at again: the shopper was right.
    expect((await staff("refunds", "approve", id, "--overrule")).code).toBe(0);
    expect((await staff("refunds", "approve", id, "--overrule")).said).toContain("nothing was changed");
    await sale.runQueue();
    expect(await sale.statusOf(orderId)).toBe("refunded");
  });
});

describe("the command", () => {
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
  ] as [string[], number, RegExp][])("%j ends with %i and says why", async (line, code, says) => {
    const answer = await staff(...line);
    expect(answer.code).toBe(code);
    expect(answer.said).toMatch(says);
  });

  it("aligns columns, also of wide letters, and lets no text steer the terminal", () => {
    expect(
      table(
        ["a", "b"],
        [
          ["日本", "x"],
          ["abc", "\u001b[31mred\u202e"],
        ],
        "",
      ),
    ).toBe("a     b\n日本  x\nabc   [31mred");
    expect(plain("one\ntwo\u0007")).toBe("one two");
  });

  it("runs as a process of its own", async () => {
    const { id, email } = await apply();
    const ran = await new Promise<{ code: number; out: string; err: string }>((done) => {
      const args = ["--import", "tsx", "scripts/staff.ts", "applications", "list", "--json"];
      execFile(process.execPath, args, (error, out, err) =>
        done({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
      );
    });
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(ran.out)).toContainEqual(expect.objectContaining({ id, email }));
  });
});
