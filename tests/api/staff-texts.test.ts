import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { createKeys, createSinglePlan } from "@/db/factories/catalog";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { isStaffAccess } from "@/lib/platform/api/declaration";
import { inputExample, jsonSchema } from "@/lib/platform/api/openapi";
import { isShopClosed } from "@/lib/platform/shop-closure";
import { runStaffCommand } from "../setup/staff";
import { type ApiCall, listApiCalls, sendRequest } from "./all-calls";
import { authHeaders } from "./call";

afterAll(closeDatabase);

let admin: StaffUser;
let code: string;
beforeAll(async () => {
  admin = await createStaff();
  const plan = await createSinglePlan({ keys: 0 });
  [code = ""] = await createKeys(plan.id, 1);
});

/** The names of fields in which staff write what a console, an email or the audit log shows. */
const TEXT_FIELDS = ["note", "reason", "text"];

type Properties = Record<string, { type?: string; enum?: unknown }>;
const bodyOf = ({ declaration: { body } }: ApiCall): Properties =>
  (body && (jsonSchema(body, "input") as { properties?: Properties }).properties) || {};

/** The staff calls with such a field. */
const calls = (await listApiCalls())
  .filter(({ write, declaration }) => write && isStaffAccess(declaration.access))
  .flatMap((call) => {
    const body = bodyOf(call);
    const field = TEXT_FIELDS.find((name) => body[name]?.type === "string" && !body[name].enum);
    return field ? [{ name: call.name, call, field, previews: "preview" in body }] : [];
  });

describe("a text of staff with an activation code", () => {
  it("has many calls that could take it", () => {
    expect(calls.length).toBeGreaterThanOrEqual(24);
  });

  it.each(calls)("is refused by $name", async ({ call, field, previews }) => {
    const { body, params } = call.declaration;
    const send = async (text: string, preview: boolean) => {
      const { envelope } = await sendRequest(call, {
        params: (params ? inputExample(params) : {}) as Record<string, string>,
        body: { ...(inputExample(body!) as object), [field]: text, ...(previews && { preview }) },
        headers: authHeaders(admin),
      });
      return [envelope!.code, envelope!.message];
    };
    for (const preview of previews ? [true, false] : [false]) {
      const refused = ["40000", expect.stringContaining("activation code")];
      expect(await send(`The code ${code.toLowerCase()} was used.`, preview)).toEqual(refused);
      expect(await send(`(${code})`, preview)).toEqual(refused);
    }
    // Without a code another rule decides, or nothing does.
    expect((await send("The code was used.", true))[1]).not.toContain("activation code");
  });

  it.each([
    ["shop", "close", "--reason"],
    ["refunds", "refuse", "rfr_none", "--reason"],
    ["replacements", "refuse", "rpl_none", "--reason"],
    ["reviews", "hide", "rev_none", "--reason"],
    ["vouchers", "revoke", "NONE", "--reason"],
    ["applications", "refuse", "app_none", "--note"],
  ])("is refused by the command %s %s", async (...command) => {
    const { code: exit, output } = await runStaffCommand(...command, `Used: ${code}`);
    expect([exit, output]).toEqual([1, expect.stringContaining("activation code")]);
    expect(await isShopClosed()).toBe(false);
  });
});
