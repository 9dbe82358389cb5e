import { db } from "@/db/client";
import { requireNoCode } from "./find-codes";

type Texts = readonly (string | null | undefined)[];

/**
 * Declares the texts of a call that may hold no activation code: `texts: withoutCodes(({ body }: { body: Input }) => [body.reason])`.
 * Nouns below delivery cannot check it themselves.
 */
export const withoutCodes =
  <C>(textsOf: (call: C) => Texts | Promise<Texts>) =>
  async (call: C): Promise<void> => {
    const texts = await textsOf(call);
    await requireNoCode(
      db,
      texts.flatMap((text) => text ?? []),
    );
  };
