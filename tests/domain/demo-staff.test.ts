import { afterAll, describe, expect, it } from "vitest";
import { GET as readAccounts } from "@/app/dev/accounts.json/route";
import { closeDatabase } from "@/db/client";
import { currentCode } from "@/db/factories/staff";
import { logIn } from "@/lib/accounts/sign-in/log-in";
import { findMemberships } from "@/lib/platform/auth/merchant-access";
import { resolveSession } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import type { DemoAccount } from "@/lib/staff/demo/find-demo-accounts";
import type { DemoSeller } from "@/lib/staff/demo/find-demo-sellers";
import { enterStaffMode } from "@/lib/staff/factors/enter-staff-mode";
import { createDemoAccount } from "@/scripts/start/demo-account";

afterAll(closeDatabase);

describe("the staff accounts of the demo", () => {
  it("open the console, one for each role and two administrators", async () => {
    await createDemoAccount();
    await createDemoAccount(); // every start
    const all: (DemoAccount | DemoSeller)[] = await (await readAccounts()).json();
    const accounts = all.filter((account) => !("merchant" in account));
    expect(accounts.map(({ role }) => role)).toEqual(["support", "catalogue", "finance", "admin", "admin"]);
    for (const { email, password, role, totp_secret } of accounts) {
      const guest = { kind: "guest", locale: "en" } as const;
      const { response } = await logIn(
        guest,
        { user_email: email, user_password: password },
        { device: "T", ip: "1.2.3.4" },
      );
      const { viewer } = await resolveSession({ authorization: `Bearer ${response.token}` });
      if (viewer.kind !== "user" || !viewer.staff) throw new Error(`${email} is no staff`);
      const session = await enterStaffMode(
        { ...viewer, staff: viewer.staff },
        await currentCode(totp_secret),
      );
      expect(session).toMatchObject({ active: true, roles: [role] });
    }
  });

  it("include an owner and a member for each of two merchants", async () => {
    const sellers: DemoSeller[] = (await (await readAccounts()).json()).filter(
      (one: object) => "merchant" in one,
    );
    expect(sellers.map(({ merchant, role }) => `${merchant} ${role}`)).toEqual([
      "kettle-row-software owner",
      "kettle-row-software member",
      "tolkstra owner",
      "tolkstra member",
    ]);
    for (const { email, password, merchant, role, totp_secret } of sellers) {
      const input = { user_email: email, user_password: password };
      const device = { device: "T", ip: "1.2.3.5" };
      const { response } = await logIn({ kind: "guest", locale: "en" }, input, device);
      const { viewer } = await resolveSession({ authorization: `Bearer ${response.token}` });
      if (viewer.kind !== "user") throw new Error(`${email} cannot sign in`);
      expect(await findMemberships(viewer.userId)).toMatchObject([
        { handle: merchant, role, state: "active" },
      ]);
      expect(await enterStaffMode(viewer, await currentCode(totp_secret))).toMatchObject({
        active: true,
        roles: [],
      });
    }
  });

  it("are not listed in production", async () => {
    Object.assign(env(), { APP_MODE: "production" });
    expect((await readAccounts()).status).toBe(404);
    Object.assign(env(), { APP_MODE: "demo" });
  });
});
