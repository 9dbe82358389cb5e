"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useCallback } from "react";
import type { Actor } from "@/lib/platform/console/actor";

const SHELL = "staff:";
const TOKEN = "token:";
/** Addresses of deleted accounts (lib/accounts/erasure). */
const ERASED = "@deleted.invalid";

/** Actors that are neither a person nor a token. */
const WORDS = ["shop", "system", "vendor", "deadline", "rule", "guest"] as const;

/** Who did something, in words: addresses and names of tokens as they are, the shop's own words in the reader's language. */
export function useActorName(): (actor: string) => string {
  const t = useTranslations("console.actors");
  return useCallback(
    (actor) => {
      if (actor.startsWith(SHELL)) return t("shell", { name: actor.slice(SHELL.length) });
      if (actor.startsWith(TOKEN)) return t("token");
      if (actor.endsWith(ERASED)) return t("deleted");
      return WORDS.find((word) => word === actor) ? t(actor as (typeof WORDS)[number]) : actor;
    },
    [t],
  );
}

/** A line of a table that is cut at the end of its column, which it does not widen; on cards it is whole. */
export const CUT_LINE = "block min-[900px]:w-0 min-[900px]:min-w-full min-[900px]:truncate";

/** A name with the id beneath, small: a thing is known by name, and found elsewhere by id. null: the name is the id. */
export function NameWithId({ name, id }: { name: ReactNode; id: string | null }) {
  return (
    <span className="block wrap-anywhere min-[900px]:min-w-36">
      {name}
      {id !== null && (
        <code className={`${CUT_LINE} font-mono text-13 text-quiet`} title={id}>
          {id}
        </code>
      )}
    </span>
  );
}

/** Who did something: a person by address and name, on two lines at most in a table; others by what they are and their id. */
export function ActorName({ actor: { id, email, name } }: { actor: Actor }) {
  const actorName = useActorName();
  const text = actorName(email ?? id);
  if (email === null) return <NameWithId name={text} id={text === id ? null : id} />;
  return (
    <span
      className="block wrap-anywhere min-[900px]:line-clamp-2 min-[900px]:min-w-40"
      title={[text, name, id].filter(Boolean).join(" · ")}
    >
      <span className="break-all">{text}</span> {name && <span className="text-13 text-quiet">{name}</span>}
    </span>
  );
}
