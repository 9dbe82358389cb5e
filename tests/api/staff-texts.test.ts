import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as changeAnnouncement } from "@/app/api/v1/admin/announcements/[id]/route";
import { POST as announce } from "@/app/api/v1/admin/announcements/route";
import { POST as createCampaign } from "@/app/api/v1/admin/campaigns/route";
import { POST as addNote } from "@/app/api/v1/admin/orders/[id]/note/route";
import { POST as saveView } from "@/app/api/v1/admin/views/route";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createKeys, createSinglePlan } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { keys } from "@/db/schema/delivery";
import { keyPrints } from "@/lib/delivery/fingerprints/key-prints";
import { type Handler, isStaffAccess } from "@/lib/platform/api/declaration";
import { inputExample, jsonSchema } from "@/lib/platform/api/openapi";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";
import { isShopClosed } from "@/lib/platform/shop-closure";
import { runStaffCommand } from "../setup/staff";
import { type ApiCall, listApiCalls, sendRequest } from "./all-calls";
import { authHeaders, call as callRoute } from "./call";

afterAll(closeDatabase);

let admin: StaffUser;
let code: string;
beforeAll(async () => {
  admin = await createStaff();
  const plan = await createSinglePlan({ keys: 0 });
  [code = ""] = await createKeys(plan.id, 1);
  await sellKeys(plan.id);
});

/** Sells the keys of a plan to an order of one unit; returns its id. */
async function sellKeys(planId: number): Promise<string> {
  const { id, lineId } = await createOrder(await createSignedInUser(), planId, { status: "completed" });
  for (const state of ["reserved", "assigned"])
    await db.execute(
      sql`update keys set state = ${state}, order_line_id = ${lineId}, slot = 1 where plan_id = ${planId}`,
    );
  return id;
}

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

describe("a staff text with an activation code", () => {
  it("could be sent to many calls", () => {
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
    // Without a code the text is accepted, or refused for another reason.
    expect((await send("The code was used.", true))[1]).not.toContain("activation code");
  });

  it("is refused by the command shop close", async () => {
    const { code: exit, output } = await runStaffCommand("shop", "close", "--reason", `Used: ${code}`);
    expect([exit, output]).toEqual([1, expect.stringContaining("activation code")]);
    expect(await isShopClosed()).toBe(false);
  });

  const spellings: Record<string, (code: string) => string> = {
    "without hyphens": (text) => text.replaceAll("-", ""),
    "with spaces": (text) => text.replaceAll("-", " ").toLowerCase(),
    "in full width": (text) =>
      [...text].map((c) => (c === "-" ? "－" : String.fromCharCode(c.charCodeAt(0) + 0xfee0))).join(""),
    "with letters that are not drawn": (text) => [...text].join("\u200b"),
    "with dots between its letters": (text) => [...text.replaceAll("-", "")].join("."),
  };

  it.each(Object.keys(spellings))("is refused %s in announcements, views and notes", async (spelling) => {
    const text = `Use ${spellings[spelling]!(code)} now`;
    const headers = authHeaders(admin);
    const ends_at = "2099-01-01T00:00:00Z";
    const send = async (handler: Handler, path: string, body: object, params?: Record<string, string>) =>
      (await callRoute(handler, path, { body, headers, params })).body.code;
    const texts = { en: "News", zh: text, ja: "News" };
    expect(await send(announce, "/admin/announcements", { texts, ends_at })).toBe("40000");
    expect(
      await send(changeAnnouncement, "/admin/announcements/ann_none", { texts, ends_at }, { id: "ann_none" }),
    ).toBe("40000");
    if (text.length <= 60)
      expect(await send(saveView, "/admin/views", { list: "orders", name: text, filters: {} })).toBe("40000");
    expect(await send(addNote, "/admin/orders/ord_none/note", { text }, { id: "ord_none" })).toBe("40000");
  });

  it("is refused as a campaign's title in any language", async () => {
    const create = async (zh: string) => {
      const title = { en: "News", zh, ja: "News" };
      const body = {
        campaign: "code-title",
        title,
        amount: 5,
        monthly_budget: 100,
        ends_at: "2099-01-01T00:00:00Z",
      };
      const answer = await callRoute(createCampaign, "/admin/campaigns", {
        body,
        headers: authHeaders(admin),
      });
      return [answer.body.code, answer.body.message];
    };
    expect(await create(`用 ${code} 购买`)).toEqual(["40000", expect.stringContaining("activation code")]);
    expect(await db.execute(sql`select id from campaigns where id = 'code-title'`)).toEqual([]);
    expect((await create("新的活动"))[0]).toBe("200");
  });

  it("is compared with sold codes only, so that no upload can forbid a word", async () => {
    const [plan, unsold] = [await createSinglePlan({ keys: 0 }), await createSinglePlan({ keys: 0 })];
    const headers = authHeaders(admin);
    for (const [planId, text] of [
      [plan.id, "WELCOME"],
      [unsold.id, "RELEASE-NOTES-2026"],
    ] as const) {
      const id = newId("key");
      await db.insert(keys).values({ id, planId, ...seal(id, text), ...keyPrints(text) });
    }
    const note = async (id: string, text: string) =>
      (await callRoute(addNote, `/admin/orders/${id}/note`, { body: { text }, headers, params: { id } })).body
        .code;
    const other = await createOrder(await createSignedInUser(), (await createSinglePlan({ keys: 0 })).id, {
      status: "completed",
    });
    expect(await note(other.id, "Welcome to the release notes 2026")).toBe("200");
    const own = await sellKeys(plan.id);
    // A weak code is refused in texts about the order that it was sold with.
    expect(await note(own, "Welcome to the shop")).toBe("40000");
  });
});
