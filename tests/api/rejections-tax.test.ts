import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { POST as decideAppeal } from "@/app/api/v1/admin/reports/[id]/appeal/route";
import { POST as decideReport } from "@/app/api/v1/admin/reports/[id]/decide/route";
import { GET as listReports } from "@/app/api/v1/admin/reports/route";
import { POST as setBusiness } from "@/app/api/v1/order/tax/business/route";
import { POST as chooseDelivery } from "@/app/api/v1/order/update-delivery/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createStaff } from "@/db/factories/staff";
import { env } from "@/lib/platform/env";
import type { ErrorName } from "@/lib/platform/errors";
import { ERRORS } from "@/lib/platform/errors";
import { ReportInput } from "@/lib/support/reports/contract";
import { fileAppeal } from "@/lib/support/reports/file-appeal";
import { fileReport } from "@/lib/support/reports/file-report";
import { appealToken } from "@/lib/support/reports/find-report";
import * as sale from "@/tests/setup/sale";
import { clearSandboxFaults, failSandbox } from "@/tests/setup/stripe-faults";
import { authHeaders, call } from "./call";
import { describeRejections, type RejectedRequest, recordChanges } from "./rejections";

let planId: number;
beforeAll(async () => {
  Object.assign(env(), { TAX_COUNTRY: "IE", TAX_IDS: { IE: "IE0000000X" }, TAX_PRICES: "added" });
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
