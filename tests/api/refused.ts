import { beforeAll, describe, expect, it } from "vitest";
import type { SignedInUser } from "@/db/factories/accounts";
import type { Handler } from "@/lib/platform/api/declaration";
import { errorMessage } from "@/lib/platform/error-messages";
import { ERRORS, type ErrorName, type ErrorParams } from "@/lib/platform/errors";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { call, type Sent } from "./call";
import { takeNoted, watchChanges } from "./every-call";

/** A request that is about to be refused, in a world that was made so that it must be. */
export type Refused = Omit<Sent, "query" | "params"> & {
  /** Nobody: a guest. */
  who?: SignedInUser;
  /** What fills the sentence. */
  params?: (locale: Locale) => ErrorParams;
  /** What the refusal does on purpose, or a rival did meanwhile, e.g. `insert mails`; nothing else may change. */
  leaves?: string[];
};
/** By refusal, how a call comes to it: the world is made, then the request is sent. */
export type Ways = Partial<Record<ErrorName, (locale: Locale) => Promise<Refused>>>;

/** From now on the file's database notes what changes; once in each file, before its `refusals`. */
export const noteChanges = () => beforeAll(watchChanges);

/**
 * Tests that a call gives each of these refusals, in all three languages: the status, the code and the sentence of the
 * table, with nothing in `data`, and nothing changed by it.
 */
export function refusals(path: string, handler: Handler, ways: Ways): void {
  describe(`${path} refuses`, () => {
    const all = Object.entries(ways) as [ErrorName, NonNullable<Ways[ErrorName]>][];
    const rows = all.flatMap(([name, way]) => LOCALES.map((locale) => [name, locale, way] as const));
    it.each(rows)("%s, in %s", async (name, locale, way) => {
      const { who, params, leaves = [], headers, ...sent } = await way(locale);
      await takeNoted();
      const answer = await call(handler, path, {
        ...sent,
        headers: { "accept-language": locale, ...(who && { authorization: who.bearer }), ...headers },
      });
      const retryAfterSeconds = Number(answer.headers.get("retry-after"));
      const { status, code } = ERRORS[name];
      expect([answer.status, answer.body.code, answer.body.message, answer.body.data]).toEqual([
        status,
        code,
        errorMessage(name, locale, { retryAfterSeconds, ...params?.(locale) }),
        null,
      ]);
      expect((await takeNoted()).filter((change) => !leaves.includes(change))).toEqual([]);
    });
  });
}
