import { type MessageFormatElement, parse as parseIcu, TYPE } from "@formatjs/icu-messageformat-parser";
import type { Tree } from "./repository";

export type MessageCatalog = Record<string, string>;

/** A message file as key → message: `catalog.plan.day`. */
export function catalogueOf(tree: Tree, locale: string): Catalogue {
  const path = `messages/${locale}.json`;
  return tree.files.includes(path) ? flatten(JSON.parse(tree.read(path))) : {};
}

function flatten(value: unknown, key = ""): Catalogue {
  if (typeof value === "string") return { [key]: value };
  if (typeof value !== "object" || value === null) return { [key]: String(value) };
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, v]) => flatten(v, key ? `${key}.${name}` : name)),
  );
}

export type Shape = {
  /** Placeholders and tags, e.g. `count`, `<link>`, `kind is day or week`. */
  parts: string[];
  /** Plural values that are never shown. Other languages may not need them. */
  silent: string[];
  /** Plural categories by value. */
  plurals: { name: string; words: string[] }[];
  /** The text without placeholders and tags. */
  words: string;
};

/** Names of the values and tags that a message needs. */
export function valuesOf(message: string): string[] {
  const { parts, silent } = shapeOf(message);
  return [...new Set([...parts, ...silent].map((part) => part.replace(/^<|>$| (is|as) .*$/g, "")))];
}

/** Parses a message; throws for invalid ICU syntax. */
export function shapeOf(message: string): Shape {
  const shape: Shape = { parts: [], silent: [], plurals: [], words: "" };
  gather(parseIcu(message), shape);
  shape.parts = [...new Set(shape.parts)].sort();
  shape.silent = [...new Set(shape.silent)].filter((name) => !shape.parts.includes(name));
  return shape;
}

function gather(elements: MessageFormatElement[], shape: Shape): void {
  for (const element of elements) {
    if (element.type === TYPE.literal) shape.words += element.value;
    else if (element.type === TYPE.tag) {
      shape.parts.push(`<${element.value}>`);
      gather(element.children, shape);
    } else if (element.type === TYPE.select) {
      shape.parts.push(`${element.value} is ${Object.keys(element.options).sort().join(" or ")}`);
      for (const option of Object.values(element.options)) gather(option.value, shape);
    } else if (element.type === TYPE.plural) {
      // Languages have different plural categories, so a plural counts as a plain number.
      const shown = Object.values(element.options).some(({ value }) => showsNumber(value));
      (shown ? shape.parts : shape.silent).push(element.value);
      shape.plurals.push({ name: element.value, words: Object.keys(element.options) });
      for (const option of Object.values(element.options)) gather(option.value, shape);
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
