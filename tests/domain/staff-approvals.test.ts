import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeDatabase, db, transaction } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createStaff, endAllMemberships } from "@/db/factories/staff";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { isShopError } from "@/lib/platform/errors";
import { expireApprovals } from "@/lib/staff/approvals/expire-approvals";
import { listApprovals } from "@/lib/staff/approvals/list-approvals";
import { isApproved, takeApproval } from "@/lib/staff/approvals/take-approval";
import { checkRule } from "@/lib/staff/integrity/check-integrity";
import { ALWAYS } from "@/lib/staff/integrity/rules";
import {
  grantRolesByOperator,
  resetFactorByOperator,
  revokeRolesByOperator,
} from "@/lib/staff/members/change-members-by-operator";
import { changeRoles as changeRolesAlone } from "@/lib/staff/members/change-roles";
import type { MemberInput } from "@/lib/staff/members/contract";
import { listStaffMembers } from "@/lib/staff/members/list-staff-members";
import { resetFactor as resetFactorAlone } from "@/lib/staff/members/reset-factor";
import { anySecondPerson, asCall } from "@/tests/setup/second-person";
import { decideSeen, seenMember } from "@/tests/setup/seen";
import { runStaffCommand } from "@/tests/setup/staff";

afterAll(closeDatabase);
// Whether a person may decide alone depends on who else is staff.
beforeEach(endAllMemberships);

const decide = (viewer: StaffViewer, id: string, decision: "approve" | "refuse" = "approve") =>
  decideSeen(viewer, { id, decision });

const changeRoles = asCall(changeRolesAlone);
const resetFactor = asCall((_: StaffViewer, shown: MemberInput) => resetFactorAlone(shown));

/** Changes roles as somebody does whose screen shows the present ones. */
const changeSeen = async (viewer: StaffViewer, input: { email: string; roles: StaffRole[] }) =>
  changeRoles(viewer, { ...input, ...(await seenMember(input.email)) });

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

const DECIDER_RULE =
  "an approval was decided within 72 hours of the decider's grant, or by whom its asker made staff";
const rolesOf = async (email: string) =>
  (await listStaffMembers()).items.find((member) => member.email === email)?.roles ?? [];
const auditOf = (id: string) =>
  db.execute(sql`select actor, action, detail from audit_entries where subject = ${id} order by id`);

describe("a new administrator", () => {
  it("is granted by a second person, once", async () => {
    const [asking, second, third] = [await createStaff(), await createStaff(), await createStaff()];
    const shopper = await createSignedInUser();
    const grant = () => changeSeen(asking.viewer, { email: shopper.email, roles: ["admin", "support"] });
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

  it("is granted by one person when nobody else could, and the audit log says so", async () => {
    const only = await createStaff();
    await createStaff({ roles: ["finance"] });
    const shopper = await createSignedInUser();
    const id = await ask(changeSeen(only.viewer, { email: shopper.email, roles: ["admin"] }));
    expect((await listApprovals(only.viewer, "open")).items).toMatchObject([
      { approval_id: id, decidable: true },
    ]);
    expect(await decide(only.viewer, id)).toMatchObject({ state: "approved" });
    expect((await auditOf(id))[1]).toMatchObject({ detail: { alone: true } });
  });

  it("is not granted in SQL by the requester, by people without the permission, or twice", async () => {
    const [asking, second] = [await createStaff(), await createStaff()];
    const support = await createStaff({ roles: ["support"] });
    const shopper = await createSignedInUser();
    const id = await ask(changeSeen(asking.viewer, { email: shopper.email, roles: ["admin"] }));
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

  it("begins undecided, even in SQL", async () => {
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

  it("is listed with all others, the newest first, 200 a page", async () => {
    const asking = await createStaff();
    await db.execute(sql`
      insert into approvals (id, kind, payload, subject, asked_by, roles, expires_at, created_at)
      select 'apr_page' || n, 'grant_admin', jsonb_build_object('n', n), 'page ' || n, ${asking.id}, '{admin}',
        shop_now() + interval '72 hours', shop_now() - make_interval(mins => n / 3) from generate_series(1, 250) n`);
    for (const state of ["all", "open"] as const) {
      const first = await listApprovals(asking.viewer, state);
      const second = await listApprovals(asking.viewer, state, first.next_cursor!);
      expect([first.items.length, second.next_cursor]).toEqual([200, null]);
      const listed = [...first.items, ...second.items].filter(({ subject }) => subject.startsWith("page "));
      expect(new Set(listed.map(({ approval_id }) => approval_id)).size).toBe(250);
      const times = listed.map(({ asked_at }) => asked_at);
      expect(times).toEqual(state === "all" ? times.toSorted().toReversed() : times.toSorted());
    }
    expect(await errorOf(listApprovals(asking.viewer, "open", "x"))).toBe("cursor_invalid");
    await db.execute(sql`delete from approvals where id like 'apr_page%'`);
  });

  it("may be withdrawn by the requester, refused by another person, and expires after 72 hours", async () => {
    const [asking, second] = [await createStaff(), await createStaff()];
    const askFor = async () => {
      const { email } = await createSignedInUser();
      return ask(changeSeen(asking.viewer, { email, roles: ["admin"] }));
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

describe("a request by someone who may no longer make it", () => {
  const askFor = async (asking: { viewer: StaffViewer }) =>
    ask(changeSeen(asking.viewer, { email: (await createSignedInUser()).email, roles: ["admin"] }));
  const stateOf = async (viewer: StaffViewer, id: string) =>
    (await listApprovals(viewer, "all")).items.find((item) => item.approval_id === id)?.state;

  it.each([
    ["lost all roles", (email: string) => revokeRolesByOperator(email, "staff:test")],
    ["lost the role for it", (email: string) => grantRolesByOperator(email, ["support"], "staff:test")],
  ])(
    "expires immediately when the person has %s, and does not come back with the role",
    async (_, remove) => {
      const [asking, second] = [await createStaff(), await createStaff()];
      const id = await askFor(asking);
      await remove(asking.email);
      expect(await stateOf(second.viewer, id)).toBe("expired");
      expect(await errorOf(decide(second.viewer, id))).toBe("approval_decided");
      await grantRolesByOperator(asking.email, ["admin"], "staff:test");
      expect(await errorOf(decide(second.viewer, id))).toBe("approval_decided");
      expect((await auditOf(id)).map(({ action }) => action)).toEqual(["approval.asked", "approval.expired"]);
    },
  );

  it("is refused and expires when the account was closed, even in SQL", async () => {
    const [asking, second] = [await createStaff(), await createStaff()];
    const id = await askFor(asking);
    await db.execute(sql`update users set deleted_at = shop_now() where id = ${asking.id}`);
    expect((await listApprovals(second.viewer, "open")).items.map((item) => item.approval_id)).not.toContain(
      id,
    );
    expect(await stateOf(second.viewer, id)).toBe("expired");
    expect(await errorOf(decide(second.viewer, id))).toBe("approval_decided");
    const inSql =
      db.execute(sql`update approvals set state = 'approved', decided_by = ${second.id}, decided_at = shop_now()
      where id = ${id}`);
    await expect(inSql).rejects.toMatchObject({ cause: { constraint_name: "approvals_asker" } });
    await expireApprovals();
    const [row] = await db.execute(sql`select state from approvals where id = ${id}`);
    expect(row).toEqual({ state: "expired" });
  });
});

describe("an approval used by its requester", () => {
  it("works once, even for concurrent calls", async () => {
    const [asking, second] = [await createStaff(), await createStaff()];
    const payload = { sha256: newId("apr") };
    const request = { kind: "coupon_import", payload, subject: payload.sha256 };
    const id = await ask(anySecondPerson.ask(asking.viewer, request));
    const take = (person: StaffViewer) =>
      transaction((tx) => takeApproval(tx, person, "coupon_import", payload));
    expect(await take(asking.viewer)).toBeNull();
    await decide(second.viewer, id);
    expect(await take(second.viewer)).toBeNull();
    expect(await isApproved(asking.viewer, "coupon_import", payload)).toBe(true);
    const taken = await Promise.all([1, 2, 3].map(() => take(asking.viewer)));
    expect(taken.filter((found) => found !== null)).toEqual([id]);
    expect(await isApproved(asking.viewer, "coupon_import", payload)).toBe(false);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      "approval.asked",
      "approval.approved",
      "approval.used",
    ]);
  });
});

describe("two administrators", () => {
  const rolesFor = (email: string, roles: StaffRole[]) => ({ email, roles });

  it.each([
    ["a role is granted", [], ["finance"]],
    ["a further role is granted", ["support"], ["support", "finance"]],
    ["an administrator becomes support", ["admin"], ["support"]],
    ["an administrator's membership ends", ["admin"], []],
    ["an administrator gets a further role", ["admin"], ["admin", "finance"]],
  ] as [string, StaffRole[], StaffRole[]][])(
    "decide together when %s, and all are notified",
    async (_, before, after) => {
      const [asking, second] = [await createStaff(), await createStaff()];
      const person =
        before.length > 0 && !before.includes("admin")
          ? await createStaff({ roles: before })
          : before.length > 0
            ? second
            : await createSignedInUser();
      const id = await ask(changeSeen(asking.viewer, rolesFor(person.email, after)));
      expect(await rolesOf(person.email)).toEqual(before);
      expect(await errorOf(decide(asking.viewer, id))).toBe("own_approval");
      await decide(second.viewer, id);
      expect((await rolesOf(person.email)).sort()).toEqual([...after].sort());
      const mailed = await db.execute<{ to: string }>(sql`
      select to_address as "to" from mails where event = 'staff-changed' and refs->>'userId' = ${person.id}`);
      expect(mailed.map(({ to }) => to).sort()).toEqual([asking.email, second.email].sort());
    },
  );

  it("are not needed to revoke other roles, of which they are notified", async () => {
    const [admin, person] = [await createStaff(), await createStaff({ roles: ["support", "finance"] })];
    expect(await changeSeen(admin.viewer, rolesFor(person.email, ["support"]))).toEqual({ changed: true });
    const [mailed] = await db.execute(sql`
      select to_address as "to" from mails where event = 'staff-changed' and refs->>'userId' = ${person.id}`);
    expect(mailed).toEqual({ to: admin.email });
  });

  it("cannot demote each other without the other's consent", async () => {
    const [one, other] = [await createStaff(), await createStaff()];
    const id = await ask(changeSeen(one.viewer, rolesFor(other.email, ["support"])));
    expect(await errorOf(decide(one.viewer, id))).toBe("own_approval");
    expect(await decide(other.viewer, id, "refuse")).toMatchObject({ state: "refused" });
    expect(await rolesOf(other.email)).toEqual(["admin"]);
  });

  it("decide about each other's requests after each has taken a role of the other away", async () => {
    const people = [
      await createStaff({ roles: ["support", "admin"] }),
      await createStaff({ roles: ["support", "admin"] }),
    ] as const;
    const [one, other] = people;
    await changeSeen(one.viewer, rolesFor(other.email, ["admin"]));
    await changeSeen(other.viewer, rolesFor(one.email, ["admin"]));
    for (const [asking, second] of [people, [other, one] as const]) {
      const { email } = await createSignedInUser();
      const id = await ask(changeSeen(asking.viewer, rolesFor(email, ["support"])));
      expect(await decide(second.viewer, id)).toMatchObject({ state: "approved" });
    }
    const broken = await transaction((tx) => checkRule(tx, DECIDER_RULE, ALWAYS[DECIDER_RULE]!));
    expect(broken.rows).toBe(0);
  });

  it("approve nothing about a person whose roles have changed since the request", async () => {
    const [one, other] = [await createStaff(), await createStaff()];
    const person = await createStaff({ roles: ["support", "catalogue"] });
    const id = await ask(changeSeen(one.viewer, rolesFor(person.email, ["support", "catalogue", "finance"])));
    await changeSeen(other.viewer, rolesFor(person.email, ["support"]));
    expect(await errorOf(decide(other.viewer, id))).toBe("revision_conflict");
    expect(await rolesOf(person.email)).toEqual(["support"]);
  });

  it("grant nothing to an account that was closed since the request", async () => {
    const [one, other] = [await createStaff(), await createStaff()];
    const person = await createSignedInUser();
    const id = await ask(changeSeen(one.viewer, rolesFor(person.email, ["support"])));
    await db.execute(sql`update users set deleted_at = shop_now() where id = ${person.id}`);
    expect(await errorOf(decide(other.viewer, id))).toBe("revision_conflict");
    const members = await db.execute(sql`select 1 from staff_members where user_id = ${person.id}`);
    expect(members).toHaveLength(0);
  });
});

describe("nobody decides", () => {
  const later = (hours: number) =>
    db.execute(sql`update shop_clock set shift = make_interval(hours => ${hours})`);
  afterEach(() => later(0));

  it("within 72 hours of the grant of the role, also where another role is older", async () => {
    const asking = await createStaff();
    const [young, old] = [await createStaff({ hours: 71 }), await createStaff({ roles: ["finance"] })];
    await grantRolesByOperator(old.email, ["finance", "admin"], "staff:test");
    const grant = async () =>
      ask(changeSeen(asking.viewer, { email: (await createSignedInUser()).email, roles: ["support"] }));
    const id = await grant();
    for (const person of [young, old]) {
      expect(await errorOf(decide(person.viewer, id))).toBe("own_approval");
      expect(await errorOf(decide(person.viewer, id, "refuse"))).toBe("own_approval");
      const { items } = await listApprovals(person.viewer, "open");
      expect(items.find((item) => item.approval_id === id)).toMatchObject({ decidable: false });
    }
    // Nor may the asker, while the others exist.
    expect(await errorOf(decide(asking.viewer, id))).toBe("own_approval");
    await later(2);
    expect(await decide(young.viewer, id)).toMatchObject({ state: "approved" });
    await later(73);
    expect(await decide(old.viewer, await grant())).toMatchObject({ state: "approved" });
  });

  it("about a request by the person who requested or approved their grant", async () => {
    const [asking, approving, third] = [await createStaff(), await createStaff(), await createStaff()];
    const puppet = await createSignedInUser();
    await decide(
      approving.viewer,
      await ask(changeSeen(asking.viewer, { email: puppet.email, roles: ["support", "admin"] })),
    );
    const viewer: StaffViewer = {
      ...puppet.viewer,
      role: "staff",
      factor: asking.viewer.factor,
      staff: asking.viewer.staff,
    };
    await later(80);
    // Who only takes a role away grants nothing, nor does it undo the grant.
    await changeSeen(third.viewer, { email: puppet.email, roles: ["admin"] });
    const askedBy = async (person: typeof asking) =>
      ask(changeSeen(person.viewer, { email: (await createSignedInUser()).email, roles: ["support"] }));
    expect(await errorOf(decide(viewer, await askedBy(asking)))).toBe("own_approval");
    expect(await errorOf(decide(viewer, await askedBy(approving)))).toBe("own_approval");
    expect(await decide(viewer, await askedBy(third))).toMatchObject({ state: "approved" });
  });

  it("alone until the others have been gone for 72 hours", async () => {
    const [asking, other] = [await createStaff(), await createStaff()];
    await revokeRolesByOperator(other.email, "staff:test");
    const grant = async () =>
      ask(changeSeen(asking.viewer, { email: (await createSignedInUser()).email, roles: ["support"] }));
    expect(await errorOf(decide(asking.viewer, await grant()))).toBe("own_approval");
    await later(73);
    expect(await decide(asking.viewer, await grant())).toMatchObject({ state: "approved" });
  });

  it("alone or too early in SQL", async () => {
    const [asking, young] = [await createStaff(), await createStaff({ hours: 1 })];
    const id = await ask(
      changeSeen(asking.viewer, { email: (await createSignedInUser()).email, roles: ["support"] }),
    );
    const update = (person: string, alone: boolean) =>
      db
        .execute(sql`update approvals set state = 'approved', decided_by = ${person}, decided_at = shop_now(), alone = ${alone}
          where id = ${id}`)
        .then(
          () => "done",
          (error: { cause?: { constraint_name?: string } }) => error.cause?.constraint_name,
        );
    expect(await update(young.id, false)).toBe("approvals_decider");
    expect(await update(asking.id, true)).toBe("approvals_alone");
  });
});

describe("a lost authenticator app", () => {
  it("is removed by two people, neither of them the person concerned", async () => {
    const [asking, second, concerned] = [await createStaff(), await createStaff(), await createStaff()];
    const id = await ask(
      resetFactor(asking.viewer, { email: concerned.email, ...(await seenMember(concerned.email)) }),
    );
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
  it.each([
    [
      "the roles are others",
      (email: string) => grantRolesByOperator(email, ["support", "finance"], "staff:test"),
    ],
    ["the membership has ended", (email: string) => revokeRolesByOperator(email, "staff:test")],
    ["the authenticator app is gone", (email: string) => resetFactorByOperator(email, "staff:test")],
  ])("are not changed from an outdated screen: %s", async (_, change) => {
    const admin = await createStaff();
    const { email } = await createStaff({ roles: ["support", "catalogue"] });
    const old = await seenMember(email);
    await change(email);
    const before = await rolesOf(email);
    for (const roles of [["support"], ["support", "catalogue", "admin"], []] as StaffRole[][])
      expect(await errorOf(changeRoles(admin.viewer, { email, roles, ...old }))).toBe("revision_conflict");
    expect(await errorOf(resetFactor(admin.viewer, { email, ...old }))).toBe("revision_conflict");
    expect(await rolesOf(email)).toEqual(before);
    expect((await listApprovals(admin.viewer, "open")).items).toEqual([]);
  });

  it("are not changed by address alone, and one added meanwhile is not created again", async () => {
    const [admin, shopper] = [await createStaff(), await createSignedInUser()];
    await grantRolesByOperator(shopper.email, ["support"], "staff:test");
    for (const roles of [["support"], ["catalogue"], []] as StaffRole[][])
      expect(await errorOf(changeRoles(admin.viewer, { email: shopper.email, roles }))).toBe(
        "revision_conflict",
      );
    expect(await errorOf(resetFactor(admin.viewer, { email: shopper.email }))).toBe("revision_conflict");
    expect(await rolesOf(shopper.email)).toEqual(["support"]);
  });

  it("always include one administrator", async () => {
    const admin = await createStaff();
    expect(await errorOf(changeSeen(admin.viewer, { email: admin.email, roles: ["support"] }))).toBe(
      "last_admin",
    );
    const other = await createStaff();
    const third = await createStaff();
    const requests = await Promise.all([
      ask(changeSeen(admin.viewer, { email: admin.email, roles: [] })),
      ask(changeSeen(other.viewer, { email: other.email, roles: [] })),
    ]);
    await revokeRolesByOperator(third.email, "staff:test");
    const outcomes = [
      await errorOf(decide(other.viewer, requests[0]!)),
      await errorOf(decide(admin.viewer, requests[1]!)),
    ];
    expect(outcomes.sort()).toEqual(["approval_unknown", "none"]);
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
