import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { POST as decideAppeal } from "@/app/api/v1/admin/reports/[id]/appeal/route";
import { POST as decideReport } from "@/app/api/v1/admin/reports/[id]/decide/route";
import { GET as listReports } from "@/app/api/v1/admin/reports/route";
import { GET as getTaxReport } from "@/app/api/v1/admin/taxes/report/route";
import { POST as answerQuestion } from "@/app/api/v1/order/tax/answer/route";
import { POST as setBusiness } from "@/app/api/v1/order/tax/business/route";
import { POST as chooseDelivery } from "@/app/api/v1/order/update-delivery/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { listTaxes } from "@/lib/orders/console/list-taxes";
import { chooseDelivery as saveDelivery } from "@/lib/orders/delivery-options/choose-delivery";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import type { ErrorName } from "@/lib/platform/errors";
import { ERRORS } from "@/lib/platform/errors";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { decideReport as decideReportAs } from "@/lib/staff/reports/decide-report";
import { ReportInput } from "@/lib/support/reports/contract";
import { fileAppeal } from "@/lib/support/reports/file-appeal";
import { fileReport } from "@/lib/support/reports/file-report";
import { appealToken } from "@/lib/support/reports/find-report";
import { clientAddress } from "@/tests/setup/client-address";
import * as sale from "@/tests/setup/sale";
import { clearSandboxFaults, failSandbox } from "@/tests/setup/stripe-faults";
import { authHeaders, call } from "./call";
import { describeRejections, type RejectedRequest, recordChanges } from "./rejections";

let planId: number;
let finance: StaffUser;
beforeEach(() => {
  Object.assign(env(), { TAX_COUNTRY: "IE", TAX_IDS: { IE: "IE0000000X" }, TAX_PRICES: "added" });
});
beforeAll(async () => {
  finance = await createStaff({ roles: ["finance"] });
  planId = (await createProduct({ plans: [{ type: "month", keys: 40 }] })).plans[0]!.id;
});
recordChanges();
afterEach(clearSandboxFaults);
afterAll(sale.closeSale);

/** An order whose payment is open for the total with Irish tax. */
async function createOpenPayment(more: object): Promise<RejectedRequest> {
  const user = await sale.createBuyer();
  const order_id = await sale.orderPlan(user, planId);
  await sale.openPayment(user, order_id);
  return { user, body: { order_id, ...more } };
}
const withJunk = async (more: object) => {
  const request = await createOpenPayment(more);
  failSandbox("retrieve_intent", { when: "before", as: "junk" });
  return request;
};
const BUSINESS = { vat_id: "DE136695976", company: "Beispiel GmbH", address: "Hauptstr. 1" };

describeRejections("/order/update-delivery", chooseDelivery, {
  provider_unavailable: () => withJunk({ country: "HU" }),
  order_not_payable: async () => {
    const request = await createOpenPayment({ country: "HU" });
    const { order_id } = request.body as { order_id: string };
    await db.execute(sql`update orders set status = 'processingPayment' where id = ${order_id}`);
    return request;
  },
});
describeRejections("/order/tax/business", setBusiness, {
  provider_unavailable: () => withJunk({ business: BUSINESS }),
  tax_off: async () => {
    const request = await createOpenPayment({ business: BUSINESS });
    Object.assign(env(), { TAX_COUNTRY: "off" });
    return request;
  },
});

/** A sale to Hungary, which card and checkout name. */
async function sellToHungary(): Promise<RejectedRequest> {
  const user = await sale.createBuyer();
  const order_id = await sale.orderPlan(user, planId);
  await saveDelivery(user.viewer, { order_id, country: "HU" });
  const { clientSecret, intentId } = await sale.openPayment(user, order_id);
  await confirmSandboxIntent(clientSecret, "succeeded", "card_HU");
  await settlePayment(intentId);
  return { user, body: { order_id, country: "HU" } };
}

describeRejections("/order/tax/answer", answerQuestion, { tax_settled: sellToHungary });
describeRejections("/admin/taxes/report", getTaxReport, {
  // The tax of Hungary is declared in euros of the quarter's last day.
  tax_rate_missing: async () => {
    await sellToHungary();
    const { quarter, eur_day: day } = await listTaxes({});
    return { user: finance, query: `quarter=${quarter}`, params: () => ({ day }) };
  },
});

let reported = 0;
/** A report about a new seller; returns its id. */
async function reportSeller(): Promise<string> {
  const target = `reported-${++reported}`;
  await db.execute(sql`
    insert into merchants (id, handle, name, state) values (${newId("mer")}, ${target}, ${target}, 'active')`);
  const input = {
    kind: "seller",
    target,
    reason: "illegal",
    message: "It sells codes that are not its own.",
  };
  const guest = { kind: "guest", locale: "en" } as const;
  return (await fileReport(guest, ReportInput.parse(input), "en", clientAddress())).reference;
}
type Decision = { outcome: string; statement: string; version: string };
/** A decision about a report as its list shows it now. */
async function decisionOn(reference: string, state: string, outcome: string): Promise<Decision> {
  const list = await call(listReports, "/admin/reports", {
    query: `state=${state}`,
    headers: authHeaders(await createStaff()),
  });
  const items: { report_id: string; version: string }[] = list.body.data.items;
  const { version } = items.find(({ report_id }) => report_id === reference)!;
  return { outcome, statement: "It sells codes of another seller.", version };
}
/** A report about a seller with a decision. */
async function decideNew(outcome: "restricted" | "kept"): Promise<string> {
  const reference = await reportSeller();
  const { viewer } = await createStaff();
  const input = { ...(await decisionOn(reference, "open", outcome)), outcome };
  await decideReportAs(viewer, reference, input, "en");
  return reference;
}
/** An administrator whose reauthentication was too long ago. */
async function createStaleAdmin(): Promise<StaffUser> {
  const admin = await createStaff();
  await db.execute(sql`update sessions set staff_reauthenticated_at = shop_now() - interval '16 minutes'
    where id = ${admin.viewer.sessionId}`);
  return admin;
}

describeRejections("/admin/reports/[id]/decide", decideReport, {
  report_decided: async () => {
    const id = await decideNew("kept");
    return { user: await createStaff(), pathParams: { id }, body: await decisionOn(id, "decided", "kept") };
  },
  reauthentication_required: async () => {
    const id = await reportSeller();
    const body = await decisionOn(id, "open", "restricted");
    return { user: await createStaleAdmin(), pathParams: { id }, body };
  },
});
describeRejections("/admin/reports/[id]/appeal", decideAppeal, {
  report_decided: async () => {
    const id = await decideNew("restricted");
    return { user: await createStaff(), pathParams: { id }, body: await decisionOn(id, "decided", "upheld") };
  },
  reauthentication_required: async () => {
    const id = await decideNew("restricted");
    await fileAppeal({ token: appealToken(id, "affected"), message: "These codes are our own." });
    const body = await decisionOn(id, "appealed", "reversed");
    return { user: await createStaleAdmin(), pathParams: { id }, body };
  },
});

const codeOf = (name: ErrorName) => ERRORS[name].code;

describe("a decision about a reported product", () => {
  it("is refused without the right to unlist it, and an objection's to list it, in one's own words", async () => {
    const { id } = await createProduct({ plans: [{ keys: 1 }] });
    const [row] = await db.execute<{ slug: string }>(sql`select slug from products where id = ${id}`);
    const input = { kind: "product", target: row!.slug, reason: "other", message: "It is not what it says." };
    const { reference } = await fileReport(
      { kind: "guest", locale: "en" },
      ReportInput.parse(input),
      "en",
      "203.0.113.9",
    );
    const [support, catalogue] = [
      await createStaff({ roles: ["support"] }),
      await createStaff({ roles: ["catalogue"] }),
    ];
    const versionOf = async (state: string) =>
      (
        await call(listReports, "/admin/reports", { query: `state=${state}`, headers: authHeaders(support) })
      ).body.data.items.find(({ report_id }: { report_id: string }) => report_id === reference).version;
    const decide = async (
      handler: typeof decideReport | typeof decideAppeal,
      by: { bearer: string },
      outcome: string,
      state: string,
    ) =>
      (
        await call(handler, `/admin/reports/${reference}/decide`, {
          params: { id: reference },
          body: { outcome, statement: "It names another vendor's app.", version: await versionOf(state) },
          headers: authHeaders(by, "ja"),
        })
      ).body;
    const refused = await decide(decideReport, support, "restricted", "open");
    expect(refused.code).toBe(codeOf("report_right_missing"));
    expect(refused.message).toContain("カタログ担当");
    expect((await decide(decideReport, catalogue, "restricted", "open")).code).toBe("200");
    await fileAppeal({ token: appealToken(reference, "affected"), message: "That is not so at all." });
    expect((await decide(decideAppeal, support, "reversed", "appealed")).code).toBe(
      codeOf("report_right_missing"),
    );
  });
});
