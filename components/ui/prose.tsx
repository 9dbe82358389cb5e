import { createElement, type ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { parsePath } from "@/lib/platform/routing/paths";
import "./prose.css";

/**
 * Text from `markdownToHtml` at a readable line length in every script. It is built from React elements and not set
 * as HTML, so its links are shop links with client-side navigation and attribution parameters.
 */
export function Prose({ html }: { html: string }) {
  return <div className="prose">{nodesOf(html)}</div>;
}

// Matches the text and tags that lib/platform/content/markdown.ts produces. Other input is not supported.
const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"]*")*) ?\/?>|[^<]+/g;
const ATTRIBUTE = / ([a-z]+)="([^"]*)"/g;

const INLINE = "p h2 h3 h4 h5 h6 li strong em code a th td".split(" ");
const AROUND = "ul ol blockquote pre div table thead tbody tr".split(" ");
const EMPTY = ["br", "hr"];
const PROPS: Record<string, string> = {
  class: "className",
  tabindex: "tabIndex",
  href: "href",
  rel: "rel",
  title: "title",
  id: "id",
  align: "align",
  start: "start",
};

type Open = { tag: string; props: Record<string, string | number>; children: ReactNode[] };

function nodesOf(html: string): ReactNode[] {
  const root: Open = { tag: "", props: {}, children: [] };
  const path = [root];
  for (const [whole, closing, tag, attributes = ""] of html.matchAll(TOKEN)) {
    const parent = path.at(-1) ?? root;
    if (tag === undefined) {
      // Line breaks between blocks are skipped, because they are invalid inside tables.
      if (INLINE.includes(parent.tag) || whole.trim()) parent.children.push(decoded(whole));
    } else if (closing) {
      if (path.length > 1 && parent.tag === tag) {
        path.pop();
        path.at(-1)?.children.push(elementOf(parent, path.at(-1)?.children.length ?? 0));
      }
    } else if (EMPTY.includes(tag)) parent.children.push(createElement(tag, { key: parent.children.length }));
    else if (INLINE.includes(tag) || AROUND.includes(tag))
      path.push({ tag, props: propsOf(attributes), children: [] });
  }
  return root.children;
}

function propsOf(attributes: string): Open["props"] {
  const props: Open["props"] = {};
  for (const [, name = "", value = ""] of attributes.matchAll(ATTRIBUTE)) {
    const prop = PROPS[name];
    if (prop) props[prop] = prop === "tabIndex" || prop === "start" ? Number(value) : decoded(value);
  }
  return props;
}

function elementOf({ tag, props, children }: Open, key: number): ReactNode {
  const href = tag === "a" && typeof props.href === "string" ? props.href : "";
  if (!/^\/(?!\/)/.test(href)) return createElement(tag, { ...props, key }, ...children);
  const [address = "", rest = ""] = href.split(/(?=[?#])(.*)/s);
  return (
    <Link key={key} {...props} href={parsePath(address).path + rest}>
      {children}
    </Link>
  );
}

const decoded = (text: string) =>
  text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: "<", gt: ">", quot: '"' })[name] ?? "&");
