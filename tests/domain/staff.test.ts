import { execFile } from "node:child_process";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { decideApplication } from "@/lib/merchants/decide-application";
import { registerBusiness } from "@/lib/merchants/register-business";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { newId } from "@/lib/platform/crypto/ids";
import { formatTable, toPlainLine } from "@/scripts/staff/command";
import * as sale from "../setup/sale";
import { runStaffCommand } from "../setup/staff";

beforeAll(() => sale.receiveEventsInProcess());
afterAll(sale.closeSale);

const listAuditRows = async (subject: string) => [
  ...(await db.execute<{ actor: string; action: string; detail: object }>(
    sql`select actor, action, detail from audit_entries where subject = ${subject} order by id`,
  )),
];
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

describe("an application", () => {
  it("is approved once, with emails in its language and an entry of the audit log", async () => {
    const { id, email } = await createApplication();
    const approve = () => decideApplication(id, { state: "approved", decidedBy: "staff:test" });
    expect(await approve()).toMatchObject({ outcome: "decided", state: "approved", email });
    expect(await approve()).toMatchObject({ outcome: "already", state: "approved" });
    expect(await decideApplication(id, { state: "refused", decidedBy: "staff:test" })).toMatchObject({
      outcome: "already",
      state: "approved",
    });
    expect(await listAuditRows(id)).toEqual([
      { actor: "staff:test", action: "application_approved", detail: { applicationId: id } },
    ]);
    expect((await listMails(email)).map(({ event, locale }) => `${event} ${locale}`).sort()).toEqual([
      "application-approved zh",
      "application-received zh",
      "merchant-invite zh",
    ]);
  });

  it("is refused with a reason in the email, and may be filed again", async () => {
    const { id, email } = await createApplication();
    const note = "The <b>codes</b> expire.";
    await decideApplication(id, { state: "refused", decidedBy: "staff:test", note });
    const refused = (await listMails(email)).find(({ event }) => event === "application-refused");
    expect(refused?.text).toContain(note);
    await createApplication(email);
  });

  it("gets one decision from concurrent ones", async () => {
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

describe("the staff command", () => {
  it.each([
    [[], 2, /^!Usage: npm run staff/],
    [["--help"], 0, /people grant EMAIL --role "admin"/],
    [["people"], 2, /^!Usage: npm run staff[\s\S]*people grant/],
    [["people", "toString"], 2, /^!Usage/],
    [["constructor", "list"], 2, /^!Usage/],
    [["people", "grant", "--role", "admin"], 2, /^!Name exactly one id/],
    [["people", "grant", "a", "b", "--role", "admin"], 2, /^!Name exactly one id/],
    [["people", "grant", "a"], 2, /^!--role "…" is needed\.\nUsage: /],
    [["people", "grant", "a", "--role", "  "], 2, /^!--role "…" is needed/],
    [["people", "grant", "a", "--role"], 2, /^!--role needs a value\.\nUsage: npm run staff -- people grant/],
    [["people", "list", "--all"], 2, /^!There is no option --all\./],
    [["people", "list", "-x"], 2, /^!There is no option -x\./],
    [["people", "list", "--json=yes"], 2, /^!--json takes no value\./],
    [["people", "list", "a"], 2, /^!It takes no argument\./],
    [["stock", "release", "none"], 1, /^!none is no number of a plan\.$/],
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
    const result = await new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const args = ["--import", "tsx", "scripts/staff.ts", "shop", "status", "--json"];
      execFile(process.execPath, args, (error, out, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
      );
    });
    expect(result).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(result.out)).toEqual({ open: true });
  });
});
