import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createStaff } from "@/db/factories/staff";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { isShopError } from "@/lib/platform/errors";
import { decideApproval, expireApprovals } from "@/lib/staff/approvals/commands";
import { listApprovals } from "@/lib/staff/approvals/queries";
import { approvalHandlers } from "@/lib/staff/commands";
import { changeRoles, resetFactor } from "@/lib/staff/members/commands";
import { listStaffMembers } from "@/lib/staff/members/queries";
import { runStaffCommand } from "@/tests/setup/staff";

afterAll(closeDatabase);
// Who else is staff decides whether a person may decide alone.
beforeEach(() => db.execute(sql`update staff_members set ended_at = shop_now() where ended_at is null`));

const decide = (viewer: StaffViewer, id: string, decision: "approve" | "refuse" = "approve") =>
  decideApproval(viewer, { id, decision }, approvalHandlers);

/** The name of the error that a call throws. */
const errorOf = (run: Promise<unknown>) =>
  run.then(
    () => "none",
    (error: unknown) => (isShopError(error) ? error.error : String(error)),
  );

/** Runs a change that needs a second person, and returns the approval's id. */
async function ask(run: Promise<unknown>): Promise<string> {
  const error = await run.catch((thrown: unknown) => thrown);
  if (!isShopError(error, "approval_required")) throw error;
  return error.issues![0]!.message;
}

const rolesOf = async (email: string) =>
  (await listStaffMembers()).items.find((member) => member.email === email)?.roles ?? [];
const auditOf = (id: string) =>
  db.execute(sql`select actor, action, detail from audit_entries where subject = ${id} order by id`);

describe("a new administrator", () => {
  it("is granted by a second person, once", async () => {
    const [asking, second, third] = [await createStaff(), await createStaff(), await createStaff()];
    const shopper = await createSignedInUser();
    const grant = () => changeRoles(asking.viewer, { email: shopper.email, roles: ["admin", "support"] });
    const id = await ask(grant());
    expect(await ask(grant())).toBe(id);
    expect(await rolesOf(shopper.email)).toEqual([]);
    expect(await errorOf(decide(asking.viewer, id))).toBe("own_approval");
    const outcomes = await Promise.all([second, third].map(({ viewer }) => errorOf(decide(viewer, id))));
    expect(outcomes.sort()).toEqual(["approval_decided", "none"]);
    expect(await rolesOf(shopper.email)).toEqual(["support", "admin"]);
    const [, approved] = await auditOf(id);
    expect(approved).toMatchObject({ action: "approval.approved", detail: { kind: "grant_admin" } });
    const granted = await auditOf(shopper.id);
    expect(granted).toMatchObject([
      { action: "staff.granted", detail: { before: [], after: ["support", "admin"] } },
    ]);
  });

  it("is granted alone where nobody else could, and the audit log says so", async () => {
    const only = await createStaff();
    await createStaff({ roles: ["finance"] });
    const shopper = await createSignedInUser();
    const id = await ask(changeRoles(only.viewer, { email: shopper.email, roles: ["admin"] }));
    expect((await listApprovals(only.viewer, "open")).items).toMatchObject([
      { approval_id: id, decidable: true },
    ]);
    expect(await decide(only.viewer, id)).toMatchObject({ state: "approved" });
    expect((await auditOf(id))[1]).toMatchObject({ detail: { alone: true } });
  });

  it("is not granted in SQL by who asked, nor by others without the permission, nor twice", async () => {
    const [asking, second] = [await createStaff(), await createStaff()];
    const support = await createStaff({ roles: ["support"] });
    const shopper = await createSignedInUser();
    const id = await ask(changeRoles(asking.viewer, { email: shopper.email, roles: ["admin"] }));
    const update = (person: string, alone: boolean) =>
      db
        .execute(sql`update approvals set state = 'approved', decided_by = ${person}, decided_at = shop_now(), alone = ${alone}
          where id = ${id}`)
        .then(
          () => "done",
          () => "refused",
        );
    expect(await update(asking.id, false)).toBe("refused");
    expect(await update(asking.id, true)).toBe("refused");
    expect(await update(support.id, false)).toBe("refused");
    expect(await update(shopper.id, false)).toBe("refused");
    expect(await errorOf(decide(support.viewer, id))).toBe("approval_unknown");
    expect(await update(second.id, false)).toBe("done");
    expect(await update(second.id, false)).toBe("refused");
  });

  it("begins undecided, also in SQL", async () => {
    const asking = await createStaff();
    const [other, shopper] = [await createStaff(), await createSignedInUser()];
    const insert = (state: string, decidedBy: string | null, alone: boolean) =>
      db
        .execute(sql`
          insert into approvals (id, kind, payload, subject, asked_by, roles, state, expires_at, decided_by, decided_at, alone)
          values (${newId("apr")}, 'grant_admin', ${JSON.stringify({ user_id: shopper.id, roles: ["admin"] })}::jsonb, ${shopper.email},
            ${asking.id}, '{admin}', ${state}, shop_now() + interval '72 hours', ${decidedBy}::text,
            case when ${decidedBy}::text is not null then shop_now() end, ${alone})`)
        .then(
          () => "done",
          (error: { cause?: { constraint_name?: string } }) => error.cause?.constraint_name,
        );
    expect(await insert("approved", asking.id, true)).toBe("approvals_start");
    expect(await insert("approved", other.id, false)).toBe("approvals_start");
    expect(await insert("refused", other.id, false)).toBe("approvals_start");
    expect(await insert("expired", null, false)).toBe("approvals_start");
    expect(await insert("asked", null, true)).toBe("approvals_start");
    expect(await insert("asked", null, false)).toBe("done");
  });

  it("may be withdrawn by who asked, refused by another, and expires after 72 hours", async () => {
    const [asking, second] = [await createStaff(), await createStaff()];
    const askFor = async () => {
      const { email } = await createSignedInUser();
      return ask(changeRoles(asking.viewer, { email, roles: ["admin"] }));
    };
    expect(await decide(asking.viewer, await askFor(), "refuse")).toMatchObject({ state: "expired" });
    expect(await decide(second.viewer, await askFor(), "refuse")).toMatchObject({ state: "refused" });
    const id = await askFor();
    await db.execute(sql`alter table approvals disable trigger approvals_check`);
    await db.execute(
      sql`update approvals set expires_at = expires_at - interval '73 hours' where id = ${id}`,
    );
    await db.execute(sql`alter table approvals enable trigger approvals_check`);
    expect(await errorOf(decide(second.viewer, id))).toBe("approval_decided");
    await expireApprovals();
    expect((await listApprovals(second.viewer, "all")).items.map(({ state }) => state)).toContain("expired");
  });
});

describe("a lost authenticator app", () => {
  it("is removed by two people, neither of them the person concerned", async () => {
    const [asking, second, concerned] = [await createStaff(), await createStaff(), await createStaff()];
    const id = await ask(resetFactor(asking.viewer, concerned.email));
    expect(await errorOf(decide(concerned.viewer, id))).toBe("own_approval");
    await decide(second.viewer, id);
    const [left] = await db.execute(sql`
      select (select count(*)::int from second_factors where user_id = ${concerned.id} and ended_at is null) as factors,
        (select count(*)::int from sessions where user_id = ${concerned.id} and factor_at is not null) as modes,
        (select count(*)::int from mails where to_address = ${concerned.email}) as mails`);
    expect(left).toEqual({ factors: 0, modes: 0, mails: 1 });
  });
});

describe("staff members", () => {
  it("always include one administrator", async () => {
    const admin = await createStaff();
    expect(await errorOf(changeRoles(admin.viewer, { email: admin.email, roles: ["support"] }))).toBe(
      "last_admin",
    );
    const other = await createStaff();
    const outcomes = await Promise.all([
      errorOf(changeRoles(admin.viewer, { email: admin.email, roles: [] })),
      errorOf(changeRoles(other.viewer, { email: other.email, roles: [] })),
    ]);
    expect(outcomes.sort()).toEqual(["last_admin", "none"]);
  });

  it("are granted, listed and revoked in the shell", async () => {
    const { email } = await createSignedInUser();
    const people = (...args: string[]) => runStaffCommand("people", ...args);
    expect(await people("grant", email, "--role", "boss")).toMatchObject({ code: 1 });
    expect(await people("grant", "nobody@example.com", "--role", "admin")).toMatchObject({ code: 1 });
    expect(await people("grant", email, "--role", "admin, support")).toMatchObject({ code: 0 });
    expect((await people("grant", email, "--role", "support,admin")).output).toContain("nothing was changed");
    expect((await people("list")).output).toContain(email);
    expect(await people("reset-factor", email)).toMatchObject({ code: 0 });
    expect(await people("revoke", email)).toMatchObject({ code: 0 });
    expect(await rolesOf(email)).toEqual([]);
    expect((await people("revoke", email)).output).toContain("nothing was changed");
  });
});
