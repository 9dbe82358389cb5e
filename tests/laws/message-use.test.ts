import { describe } from "vitest";
import { catalogueOf } from "./catalogue";
import { dottedTexts, type Use, usesOf } from "./message-use";
import { law, type Tree } from "./tree";

const below = (namespace: string, keys: string[]) =>
  namespace === ""
    ? keys
    : keys.filter((key) => key.startsWith(`${namespace}.`)).map((key) => key.slice(namespace.length + 1));

/** Every part of a key from some dot on: what a translator of an unknown namespace may have asked for. */
const tails = (key: string) => key.split(".").map((_, i, parts) => parts.slice(i).join("."));
const branches = (key: string) => key.split(".").map((_, i, parts) => parts.slice(0, i + 1).join("."));

function finds({ namespaces, key, how }: Use, keys: string[]): boolean {
  if (!key || how === "has") return true;
  const candidates = namespaces ? namespaces.flatMap((space) => below(space, keys)) : keys.flatMap(tails);
  return candidates.some((full) => (how === "raw" ? branches(full) : [full]).some((part) => key.test(part)));
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

function meant(use: Use, full: string): boolean {
  const options = use.namespaces ? use.namespaces.flatMap((space) => below(space, [full])) : tails(full);
  if (!use.key) return use.namespaces !== undefined && options.length > 0;
  return options.some((key) =>
    branches(key).some((part) => use.key?.test(part) && (part === key || use.how === "raw")),
  );
}

function dead(tree: Tree): string[] {
  const uses = usesOf(tree);
  const texts = dottedTexts(tree);
  return Object.keys(catalogueOf(tree, "en"))
    .filter((key) => !key.startsWith("errors.")) // the table of lib/errors.ts is checked by its own law
    .filter((key) => !uses.some((use) => meant(use, key)) && !texts.some((text) => text.test(key)))
    .map((key) => `messages: nothing asks for ${key}`);
}

const en = { "messages/en.json": '{"cart":{"title":"Cart","row":{"one":"One","two":"Two"}},"ui":{"a":"A"}}' };
const code = (line: string) => ({ ...en, "components/cart/row.tsx": line });

describe("use of messages", () => {
  law(
    "every message that the code asks for exists",
    missing,
    {
      breaks: code('const t = useTranslations("cart"); t("titel");'),
      says: /row\.tsx:1: there is no message "titel" in cart/,
      keeps: code(`const t = useTranslations("cart"); t("title"); t(\`row.\${n}\`);`),
    },
    {
      breaks: code(`const t = await getTranslations({ locale, namespace: "cart" }); t.rich(\`rows.\${n}\`);`),
      says: /no message `rows/,
    },
    {
      breaks: code(
        'const [t, u] = await Promise.all([getTranslations("cart"), getTranslations("ui")]); u("title");',
      ),
      says: /no message "title" in ui/,
    },
    {
      breaks: code('function f(t: T) { return t("nothing"); }'),
      says: /no message "nothing"/,
      keeps: code('function f(t: T) { return t(x ? "one" : "title"); }'),
    },
    {
      breaks: code('const t = useTranslations(); t("row.one");'),
      says: /no message "row\.one"/,
      keeps: code('const t = useTranslations(); t("cart.row.one"); t.raw("cart.row");'),
    },
  );
  law("every message is asked for", dead, {
    breaks: code(`const t = useTranslations("cart"); t(\`row.\${n}\`); t("a");`),
    says: /^messages: nothing asks for cart\.title\nmessages: nothing asks for ui\.a$/,
    keeps: code('const t = useTranslations("cart"); t(key); const KEY = "ui.a";'),
  });
});
