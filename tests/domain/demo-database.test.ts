import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { users } from "@/db/schema/accounts";
import { DEMO_ACCOUNT_EMAIL } from "@/lib/accounts/rules";
import { env } from "@/lib/platform/env";
import { createDemoMember } from "@/lib/staff/demo/create-demo-member";
import { rejectDemoDatabase } from "@/lib/staff/demo/reject-demo-database";
import { DEMO_STAFF } from "@/lib/staff/demo/rules";
import { DEMO_SELLERS } from "@/lib/staff/demo/rules-sellers";
import { rejectDemoSecrets } from "@/scripts/start/demo-secrets";
import { testEnvironment } from "../setup/environment";
import * as sale from "../setup/sale";

afterAll(closeDatabase);
beforeEach(() =>
  db.execute(
    sql`update users set deleted_at = shop_now(), email = id || '@example.com' where deleted_at is null`,
  ),
);

const url = env().DATABASE_URL;
/** The sentence with which a start in production is refused, or "none". */
const refusalOf = (modes: Partial<Parameters<typeof rejectDemoDatabase>[1]> = {}) =>
  rejectDemoDatabase(url, { APP_MODE: "production", PAYMENT_MODE: "sandbox", ...modes }).then(
    () => "none",
    ({ message }: Error) => message,
  );

describe("a production start", () => {
  it.each([
    DEMO_ACCOUNT_EMAIL,
    ...DEMO_STAFF.map(({ email }) => email),
    ...DEMO_SELLERS.map(({ email }) => email),
  ])("refuses a database in which %s can sign in, while a demo accepts it", async (email) => {
    expect(await refusalOf()).toBe("none");
    const { id } = await createUser({ email: email.toUpperCase() });
    expect(await refusalOf()).toMatch(
      new RegExp(`^This is the database of a demo: the password of ${email} is public`, "i"),
    );
    expect(await refusalOf({ APP_MODE: "demo" })).toBe("none");
    await db
      .update(users)
      .set({ deletedAt: sql`shop_now()`, email: `${id}@example.com` })
      .where(eq(users.id, id));
    expect(await refusalOf()).toBe("none");
  });

  it("refuses a demo's administrator with a changed address", async () => {
    const { email } = await createUser({ email: "renamed@example.com" });
    await createDemoMember({ email, role: "admin" });
    expect(await refusalOf()).toContain("the password of renamed@example.com is public");
  });

  it("refuses sandbox orders once payments are real", async () => {
    const plan = await createSinglePlan({ type: "month", keys: 1 });
    const buyer = await sale.createBuyer();
    await sale.pay(buyer, await sale.orderPlan(buyer, plan.id));
    expect(await refusalOf()).toBe("none");
    for (const PAYMENT_MODE of ["test", "live"] as const)
      expect(await refusalOf({ PAYMENT_MODE })).toMatch(
        /^This database has payments or cards of the sandbox/,
      );
  });

  it("refuses the secrets that a demo has generated", () => {
    const folder = mkdtempSync(join(tmpdir(), "demo-"));
    try {
      rejectDemoSecrets(folder, { AUTH_SECRET: "a" });
      writeFileSync(join(folder, "secrets.json"), JSON.stringify({ AUTH_SECRET: "a", VAULT_KEY: "b" }));
      expect(() => rejectDemoSecrets(folder, { VAULT_KEY: "b" })).toThrow("VAULT_KEY is that of a demo");
      rejectDemoSecrets(folder, { AUTH_SECRET: "c", VAULT_KEY: "d" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    "instrumentation.ts",
    "scripts/work.ts",
    "scripts/migrate.ts",
    "scripts/staff.ts",
    "scripts/verify-audit.ts",
  ])("starts no process with the database of a demo: %s", async (script) => {
    await createUser({ email: DEMO_ACCOUNT_EMAIL });
    // Next calls it before the first request.
    const register = `import { register } from "./instrumentation.ts"; await register();`;
    const command =
      script === "instrumentation.ts" ? ["--input-type=module", "-e", register] : [script, "people", "list"];
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", ...command], {
      encoding: "utf8",
      timeout: 60_000,
      env: {
        ...process.env,
        ...testEnvironment,
        NODE_ENV: "production",
        NEXT_RUNTIME: "nodejs",
        APP_MODE: "production",
        APP_URL: "https://shop.example",
        ALLOW_SANDBOX_IN_PRODUCTION: "1",
        DATABASE_URL: url,
      } as NodeJS.ProcessEnv,
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining("This is the database of a demo")]);
    expect(stdout).not.toContain("started");
  });
});
