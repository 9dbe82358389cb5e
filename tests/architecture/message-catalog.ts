import { type MessageFormatElement, parse as parseIcu, TYPE } from "@formatjs/icu-messageformat-parser";
import { isFile, type Repository } from "./repository";

export type MessageCatalog = Record<string, string>;

const catalogs = new WeakMap<Repository, Map<string, MessageCatalog>>();

/** The messages of a language, those of the consoles too, as key → message: `catalog.plan.day`. */
export function readMessages(repo: Repository, locale: string): MessageCatalog {
  const read = catalogs.get(repo) ?? new Map<string, MessageCatalog>();
  catalogs.set(repo, read);
  const catalog = read.get(locale) ?? parseCatalog(repo, locale);
  read.set(locale, catalog);
  return catalog;
}

function parseCatalog(repo: Repository, locale: string): MessageCatalog {
  const paths = [`messages/${locale}.json`, `messages/console/${locale}.json`];
  const present = paths.filter((path) => isFile(repo, path));
  return Object.assign({}, ...present.map((path) => flatten(JSON.parse(repo.read(path)))));
}

function flatten(value: unknown, key = ""): MessageCatalog {
  if (typeof value === "string") return { [key]: value };
  if (typeof value !== "object" || value === null) return { [key]: String(value) };
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, v]) => flatten(v, key ? `${key}.${name}` : name)),
  );
}

export type MessageShape = {
  /** Placeholders and tags, e.g. `count`, `<link>`, `kind is day or week`. */
  parts: string[];
  /** Plural values that are never shown. Other languages may not need them. */
  hiddenValues: string[];
  /** Plural categories by value. */
  plurals: { name: string; categories: string[] }[];
  /** The text without placeholders and tags. */
  text: string;
};

/** Names of the values and tags that a message needs. */
export function listValues(message: string): string[] {
  const { parts, hiddenValues } = parseMessage(message);
  return [...new Set([...parts, ...hiddenValues].map((part) => part.replace(/^<|>$| (is|as) .*$/g, "")))];
}

/** Parses a message; throws for invalid ICU syntax. */
export function parseMessage(message: string): MessageShape {
  const shape: MessageShape = { parts: [], hiddenValues: [], plurals: [], text: "" };
  collectParts(parseIcu(message), shape);
  shape.parts = [...new Set(shape.parts)].sort();
  shape.hiddenValues = [...new Set(shape.hiddenValues)].filter((name) => !shape.parts.includes(name));
  return shape;
}

function collectParts(elements: MessageFormatElement[], shape: MessageShape): void {
  for (const element of elements) {
    if (element.type === TYPE.literal) shape.text += element.value;
    else if (element.type === TYPE.tag) {
      shape.parts.push(`<${element.value}>`);
      collectParts(element.children, shape);
    } else if (element.type === TYPE.select) {
      shape.parts.push(`${element.value} is ${Object.keys(element.options).sort().join(" or ")}`);
      for (const option of Object.values(element.options)) collectParts(option.value, shape);
    } else if (element.type === TYPE.plural) {
      // Languages have different plural categories, so a plural counts as a plain number.
      const showsValue = Object.values(element.options).some(({ value }) => showsNumber(value));
      (showsValue ? shape.parts : shape.hiddenValues).push(element.value);
      shape.plurals.push({ name: element.value, categories: Object.keys(element.options) });
      for (const option of Object.values(element.options)) collectParts(option.value, shape);
    } else if (element.type !== TYPE.pound) {
      const kind = { [TYPE.date]: " as date", [TYPE.time]: " as time" }[element.type as number] ?? "";
      shape.parts.push(element.value + kind);
    }
  }
}

/** Whether `#` occurs in these elements outside a nested plural. */
const showsNumber = (elements: MessageFormatElement[]): boolean =>
  elements.some(
    (element) =>
      element.type === TYPE.pound ||
      (element.type === TYPE.tag && showsNumber(element.children)) ||
      (element.type === TYPE.select &&
        Object.values(element.options).some(({ value }) => showsNumber(value))),
  );
