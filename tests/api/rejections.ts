import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createOrder } from "@/db/factories/orders";
import type { Handler } from "@/lib/platform/api/declaration";
import { errorMessage } from "@/lib/platform/error-messages";
import { ERRORS, type ErrorName, type ErrorParams } from "@/lib/platform/errors";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { isShort } from "@/tests/setup/rounds";
import { recordRowChanges, takeRowChanges } from "./all-calls";
import { type CallOptions, call } from "./call";

/** A request that must be rejected, after its scenario has created the records for it. */
export type RejectedRequest = Omit<CallOptions, "params"> & {
  /** A guest when absent. */
  user?: SignedInUser;
  /** Parameters of the path. */
  pathParams?: Record<string, string>;
  /** Parameters of the error message. */
  params?: (locale: Locale) => ErrorParams;
  /** Changes that the rejection or a concurrent writer makes on purpose, e.g. `insert mails`; no other change is allowed. */
  intendedChanges?: string[];
};
/** By error name, a function that creates the records and returns the request. */
export type RejectionScenarios = Partial<Record<ErrorName, (locale: Locale) => Promise<RejectedRequest>>>;

/** Records row changes in the database of the test file. Call it once, before `describeRejections`. */
export const recordChanges = () => beforeAll(recordRowChanges);

const languages = isShort ? LOCALES.slice(0, 1) : LOCALES;

/**
 * Tests that a call returns each of these errors in all three languages, in `npm test` in the first: status, code and message of the error table,
 * `data: null`, and no changed rows.
 */
export function describeRejections(path: string, handler: Handler, scenarios: RejectionScenarios): void {
  describe(`${path} rejects`, () => {
    const all = Object.entries(scenarios) as [ErrorName, NonNullable<RejectionScenarios[ErrorName]>][];
    const rows = all.flatMap(([name, scenario]) =>
      languages.map((locale) => [name, locale, scenario] as const),
    );
    it.each(rows)("%s, in %s", async (name, locale, scenario) => {
      const { user, params, pathParams, intendedChanges = [], headers, ...options } = await scenario(locale);
      await takeRowChanges();
      const response = await call(handler, path, {
        ...options,
        params: pathParams,
        headers: { "accept-language": locale, ...(user && { authorization: user.bearer }), ...headers },
      });
      const retryAfterSeconds = Number(response.headers.get("retry-after"));
      const { status, code } = ERRORS[name];
      expect([response.status, response.body.code, response.body.message, response.body.data]).toEqual([
        status,
        code,
        errorMessage(name, locale, {
          retryAfterSeconds,
          minutes: Math.ceil(retryAfterSeconds / 60),
          ...params?.(locale),
        }),
        null,
      ]);
      expect((await takeRowChanges()).filter((change) => !intendedChanges.includes(change))).toEqual([]);
    });
  });
}

/** A user who has used up the purchase limit of a plan. */
export async function createUserWithClaim(planId: number): Promise<SignedInUser> {
  const user = await createSignedInUser();
  const { id } = await createOrder(user, planId, { status: "completed" });
  await db.execute(
    sql`insert into purchase_claims (user_id, plan_id, slot, order_id, email_identity)
      values (${user.id}, ${planId}, 1, ${id}, ${user.id})`,
  );
  return user;
}
