import { useTranslations } from "next-intl";
import { useCallback } from "react";

const SHELL = "staff:";
/** Addresses of deleted accounts (lib/accounts/erasure). */
const ERASED = "@deleted.invalid";

/** Actors that are no person and no token. */
const WORDS = ["shop", "system", "vendor", "deadline", "rule", "guest"] as const;

/** Who did something, in words: addresses and names of tokens as they are, the shop's own words in the reader's language. */
export function useActorName(): (actor: string) => string {
  const t = useTranslations("console.actors");
  return useCallback(
    (actor) => {
      if (actor.startsWith(SHELL)) return t("shell", { name: actor.slice(SHELL.length) });
      if (actor.endsWith(ERASED)) return t("deleted");
      return WORDS.find((word) => word === actor) ? t(actor as (typeof WORDS)[number]) : actor;
    },
    [t],
  );
}
