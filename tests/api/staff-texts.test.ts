import { afterAll, beforeAll, expect, it } from "vitest";
import { POST as approve } from "@/app/api/v1/admin/approvals/[id]/approve/route";
import { POST as refuse } from "@/app/api/v1/admin/approvals/[id]/refuse/route";
import { POST as revokeCoupon } from "@/app/api/v1/admin/coupons/revoke/route";
import { POST as giveCoupon } from "@/app/api/v1/admin/customers/[id]/coupon/route";
import { POST as requirePassword } from "@/app/api/v1/admin/customers/[id]/new-password/route";
import { POST as goodwill } from "@/app/api/v1/admin/orders/[id]/goodwill/route";
import { POST as refuseRefund } from "@/app/api/v1/admin/refunds/[id]/refuse/route";
import { POST as settleRefund } from "@/app/api/v1/admin/refunds/[id]/settle/route";
import { closeDatabase } from "@/db/client";
import { createKeys, createSinglePlan } from "@/db/factories/catalog";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { authHeaders, call } from "./call";

afterAll(closeDatabase);

let admin: StaffUser;
let code: string;
beforeAll(async () => {
  admin = await createStaff();
  const plan = await createSinglePlan({ keys: 0 });
  [code = ""] = await createKeys(plan.id, 1);
});

/** The calls with which staff write a text that a console or an email shows, and the answer without a code in it. */
const TEXTS = [
  ["/admin/refunds/x/refuse", refuseRefund, (reason: string) => ({ reason }), "40480"],
  ["/admin/refunds/x/settle", settleRefund, (note: string) => ({ note }), "40480"],
  [
    "/admin/orders/x/goodwill",
    goodwill,
    (reason: string) => ({ order_product_id: "line_x", amount: 1, refunded_amount: 0, reason }),
    "40402",
  ],
  ["/admin/coupons/revoke", revokeCoupon, (reason: string) => ({ coupon_code: "NONE", reason }), "40403"],
  ["/admin/customers/x/new-password", requirePassword, (reason: string) => ({ reason }), "40421"],
  ["/admin/customers/x/coupon", giveCoupon, (reason: string) => ({ campaign: "none", reason }), "40421"],
  ["/admin/approvals/x/approve", approve, (note: string) => ({ note }), "40418"],
  ["/admin/approvals/x/refuse", refuse, (note: string) => ({ note }), "40418"],
] as const;

it.each(TEXTS)("%s takes no activation code in its text", async (path, handler, body, otherwise) => {
  const send = async (text: string, preview: boolean) => {
    const params = path.includes("/x/") ? { params: { id: "none_x" } } : {};
    const answer = await call(handler, path, {
      ...params,
      body: { ...body(text), preview },
      headers: authHeaders(admin),
    });
    return [answer.body.code, answer.body.message];
  };
  for (const preview of [true, false]) {
    const refused = ["40000", expect.stringContaining("activation code")];
    expect(await send(`The code ${code.toLowerCase()} was used.`, preview)).toEqual(refused);
    expect(await send(`(${code})`, preview)).toEqual(refused);
    expect((await send("The code was used.", preview))[0]).toBe(otherwise);
  }
});
