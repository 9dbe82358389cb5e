import { afterAll, beforeEach, expect, it } from "vitest";
import { POST as approve } from "@/app/api/v1/admin/approvals/[id]/approve/route";
import { POST as refuse } from "@/app/api/v1/admin/approvals/[id]/refuse/route";
import { GET as listStock } from "@/app/api/v1/admin/keys/stock/route";
import { GET as listOrders } from "@/app/api/v1/admin/orders/route";
import { GET as listProducts } from "@/app/api/v1/admin/products/route";
import { POST as resetFactor } from "@/app/api/v1/admin/staff/reset-factor/route";
import { POST as setRoles } from "@/app/api/v1/admin/staff/route";
import { closeDatabase } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createStaff, endAllMemberships } from "@/db/factories/staff";
import type { SeenVersion } from "@/lib/platform/console/version";
import { seenApproval, seenMember } from "@/tests/setup/seen";
import { authHeaders, call } from "./call";

afterAll(closeDatabase);
// Whether a person may decide alone depends on who else is staff.
beforeEach(endAllMemberships);

type Admin = Awaited<ReturnType<typeof createStaff>>;

/** The id of the approval that a change waits for. */
async function askToGrant(admin: Admin): Promise<string> {
  const { email } = await createSignedInUser();
  const body = { email, roles: ["admin"] };
  const { body: answer } = await call(setRoles, "/admin/staff", { body, headers: authHeaders(admin) });
  expect(answer.code).toBe("40941");
  return answer.errors!.find(({ path }) => path === "approval_id")!.message;
}

const decide = async (admin: Admin, decision: "approve" | "refuse", id: string, seen?: SeenVersion) => {
  const handler = decision === "approve" ? approve : refuse;
  const body = seen ?? (await seenApproval(admin.viewer, id));
  const options = { params: { id }, body, headers: authHeaders(admin) };
  return (await call(handler, `/admin/approvals/${id}/${decision}`, options)).body.code;
};

it("an approval is decided once, by a second person", async () => {
  const [asking, second] = [await createStaff(), await createStaff()];
  for (const decision of ["approve", "refuse"] as const) {
    const id = await askToGrant(asking);
    if (decision === "approve") expect(await decide(asking, decision, id)).toBe("40943");
    for (const seen of [{ version: "0123456789abcdef" }, {}])
      expect(await decide(second, decision, id, seen)).toBe("40940");
    expect(await decide(second, decision, id)).toBe("200");
    expect(await decide(second, decision, id)).toBe("40942");
    expect(await decide(second, decision, "apr_unknown")).toBe("40418");
  }
});

it("the person concerned by an approval does not decide it", async () => {
  const [asking, , concerned] = [await createStaff(), await createStaff(), await createStaff()];
  const seen = { email: concerned.email, ...(await seenMember(concerned.email)) };
  const options = { body: seen, headers: authHeaders(asking) };
  const { body } = await call(resetFactor, "/admin/staff/reset-factor", options);
  expect(body.code).toBe("40941");
  const id = body.errors![0]!.message;
  for (const decision of ["approve", "refuse"] as const)
    expect(await decide(concerned, decision, id)).toBe("40943");
});

it("roles and authenticator apps are not changed from an outdated screen", async () => {
  const [admin, { email }] = [await createStaff(), await createStaff({ roles: ["support"] })];
  const headers = authHeaders(admin);
  for (const seen of [{ version: "0123456789abcdef" }, {}]) {
    const roles = { body: { email, roles: [], ...seen }, headers };
    expect((await call(setRoles, "/admin/staff", roles)).body.code).toBe("40940");
    const reset = { body: { email, ...seen }, headers };
    expect((await call(resetFactor, "/admin/staff/reset-factor", reset)).body.code).toBe("40940");
  }
});

it("an authenticator app is removed only at a valid address", async () => {
  const options = { body: { email: "nobody" }, headers: authHeaders(await createStaff()) };
  expect((await call(resetFactor, "/admin/staff/reset-factor", options)).status).toBe(400);
});

it("the last administrator keeps the role", async () => {
  const admin = await createStaff();
  const body = { email: admin.email, roles: ["support"], ...(await seenMember(admin.email)) };
  const answer = await call(setRoles, "/admin/staff", { body, headers: authHeaders(admin) });
  expect(answer.body.code).toBe("40944");
});

it.each([
  ["orders", listOrders],
  ["products", listProducts],
  ["keys/stock", listStock],
] as const)("the list of %s refuses an invalid cursor", async (name, handler) => {
  const options = { query: "cursor=nonsense", headers: authHeaders(await createStaff()) };
  const { status, body } = await call(handler, `/admin/${name}`, options);
  expect([status, body.code]).toEqual([400, "40000"]);
});
