import { describe } from "vitest";
import { catalogueOf, valuesOf } from "./catalogue";
import { dottedTexts, type Use, usesOf } from "./message-use";
import { check, type Tree } from "./tree";

const below = (namespace: string, keys: string[]) =>
  namespace === ""
    ? keys
    : keys.filter((key) => key.startsWith(`${namespace}.`)).map((key) => key.slice(namespace.length + 1));

/** Every part of a key from some dot on: what a translator of an unknown namespace may have asked for. */
const tails = (key: string) => key.split(".").map((_, i, parts) => parts.slice(i).join("."));

function finds({ namespaces, key, how }: Use, keys: string[]): boolean {
  if (!key || how === "has") return true;
  const candidates = namespaces ? namespaces.flatMap((space) => below(space, keys)) : keys.flatMap(tails);
  return candidates.some((full) => key.test(full));
}

function missing(tree: Tree): string[] {
  const keys = Object.keys(catalogueOf(tree, "en"));
  return usesOf(tree)
    .filter((use) => !finds(use, keys))
    .map(({ at, written, namespaces }) => {
      const space = namespaces?.filter(Boolean).join(" or ");
      return `${at}: there is no message ${written}${space ? ` in ${space}` : ""}`;
    });
}

/** Written out, so that it means one message of a namespace: of several, some may take values that others do not. */
const isOne = (key: RegExp) => !key.source.includes(".+");

/** In Next's bundles a value that was left out shows as "undefined" (docs/decisions/0022-prepare-browser-files-in-the-build.md). */
function gaps(tree: Tree): string[] {
  const messages = catalogueOf(tree, "en");
  return usesOf(tree).flatMap(({ at, namespaces, key, how, given, written }) => {
    if (how !== "text" || namespaces?.length !== 1 || !key || !isOne(key) || !given) return [];
    const asked = Object.entries(messages).filter(([full]) =>
      namespaces.some((space) => below(space, [full]).some((part) => key.test(part))),
    );
    const left = asked.flatMap(([, message]) => valuesOf(message)).filter((name) => !given.includes(name));
    return [...new Set(left)].map((name) => `${at}: ${written} takes a value "${name}"`);
  });
}

/** In Next's bundles a message that takes values is no text (docs/decisions/0022-prepare-browser-files-in-the-build.md). */
const raws = (tree: Tree) =>
  usesOf(tree)
    .filter(({ how }) => how === "raw")
    .map(({ at, written }) => `${at}: ${written} cannot be asked for as it is written`);

function meant(use: Use, full: string): boolean {
  const options = use.namespaces ? use.namespaces.flatMap((space) => below(space, [full])) : tails(full);
  if (!use.key) return use.namespaces !== undefined && options.length > 0;
  return options.some((key) => use.key?.test(key));
}

function dead(tree: Tree): string[] {
  const uses = usesOf(tree);
  const texts = dottedTexts(tree);
  return Object.keys(catalogueOf(tree, "en"))
    .filter((key) => !key.startsWith("errors.")) // the table of lib/platform/errors.ts is checked by its own check
    .filter((key) => !uses.some((use) => meant(use, key)) && !texts.some((text) => text.test(key)))
    .map((key) => `messages: nothing asks for ${key}`);
}

const en = {
  "messages/en.json":
    '{"cart":{"title":"Cart","row":{"one":"One","two":"Two"}},"ui":{"a":"A","left":"{n} left"}}',
};
const _code = (line: string) => ({ ...en, "components/cart/row.tsx": line });

describe("use of messages", () => {
  check("every message that the code asks for exists", missing);
  check("every value that a message takes is given", gaps);
  check("no message is asked for as it is written", raws);
  check("every message is asked for", dead);
});
