"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Actor } from "@/lib/platform/console/actor";

/** Actors that are no person and no program of a merchant. */
const OTHERS = ["system", "guest"] as const;
const SHELL = "staff:";
const TOKEN = "token:";

/** Who did something, on one line: an address, or what acts in its place. */
export function useActorName(): (actor: Actor) => string {
  const t = useTranslations("console.actor");
  return ({ id, email }) => {
    if (email) return email;
    const other = OTHERS.find((name) => name === id);
    if (other) return t(other);
    if (id.startsWith(SHELL)) return t("shell", { name: id.slice(SHELL.length) });
    return id.startsWith(TOKEN) ? t("token") : id;
  };
}

/** A name with the id beneath, small: a person is known by address, and found elsewhere by id. null: the name is the id. */
export function NameWithId({ name, id }: { name: ReactNode; id: string | null }) {
  return (
    <span className="inline-block wrap-anywhere min-[900px]:min-w-32">
      {name}
      {id !== null && <code className="block font-mono text-13 text-quiet">{id}</code>}
    </span>
  );
}

/** Who did something: a person by address, name and id. */
export function ActorName({ actor }: { actor: Actor }) {
  const nameOf = useActorName();
  const { id, email, name } = actor;
  const text = nameOf(actor);
  return (
    <NameWithId
      name={
        email && name ? (
          <>
            {email} <span className="text-quiet">({name})</span>
          </>
        ) : (
          text
        )
      }
      id={text === id ? null : id}
    />
  );
}
