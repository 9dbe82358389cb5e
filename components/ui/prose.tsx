import { createElement, type ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { parsePath } from "@/lib/platform/routing/paths";
import "./prose.css";

/** Text from `markdownToHtml` as React elements, so that its links navigate on the client with attribution. */
export function Prose({ html }: { html: string }) {
  return <div className="prose">{parseNodes(html)}</div>;
}

/** The headings of level two, by which a page leads to its chapters. */
export const listChapters = (html: string): { id: string; title: string }[] =>
  [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id = "", title = ""]) => ({
    id,
    title: decodeEntities(title.replace(/<[^>]*>/g, "")),
  }));

// Matches the text and tags that lib/platform/content/markdown.ts produces. Other input is not supported.
const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"]*")*) ?\/?>|[^<]+/g;
const ATTRIBUTE = / ([a-z]+)="([^"]*)"/g;

const INLINE = "p h2 h3 h4 h5 h6 li strong em code a th td figcaption".split(" ");
const CONTAINERS = "ul ol blockquote pre div table thead tbody tr figure".split(" ");
const VOID = ["br", "hr"];
const PROPS: Record<string, string> = {
  class: "className",
  tabindex: "tabIndex",
  href: "href",
  rel: "rel",
  title: "title",
  id: "id",
  align: "align",
  start: "start",
  src: "src",
  srcset: "srcSet",
  sizes: "sizes",
  width: "width",
  height: "height",
  alt: "alt",
  loading: "loading",
};

type OpenElement = { tag: string; props: Record<string, string | number>; children: ReactNode[] };

function parseNodes(html: string): ReactNode[] {
  const root: OpenElement = { tag: "", props: {}, children: [] };
  const openElements = [root];
  for (const [token, closing, tag, attributes = ""] of html.matchAll(TOKEN)) {
    const parent = openElements.at(-1) ?? root;
    if (tag === undefined) {
      // Line breaks between blocks are skipped, because they are invalid inside tables.
      if (INLINE.includes(parent.tag) || token.trim()) parent.children.push(decodeEntities(token));
    } else if (closing) {
      if (openElements.length > 1 && parent.tag === tag) {
        openElements.pop();
        openElements.at(-1)?.children.push(toElement(parent, openElements.at(-1)?.children.length ?? 0));
      }
    } else if (VOID.includes(tag) || (tag === "img" && parent.tag === "figure"))
      parent.children.push(createElement(tag, { ...parseProps(attributes), key: parent.children.length }));
    else if (INLINE.includes(tag) || CONTAINERS.includes(tag))
      openElements.push({ tag, props: parseProps(attributes), children: [] });
  }
  return root.children;
}

function parseProps(attributes: string): OpenElement["props"] {
  const props: OpenElement["props"] = {};
  for (const [, name = "", value = ""] of attributes.matchAll(ATTRIBUTE)) {
    const prop = PROPS[name];
    if (prop) props[prop] = prop === "tabIndex" || prop === "start" ? Number(value) : decodeEntities(value);
  }
  return props;
}

function toElement({ tag, props, children }: OpenElement, key: number): ReactNode {
  const href = tag === "a" && typeof props.href === "string" ? props.href : "";
  if (!/^\/(?!\/)/.test(href)) return createElement(tag, { ...props, key }, ...children);
  const [address = "", rest = ""] = href.split(/(?=[?#])(.*)/s);
  return (
    <Link key={key} {...props} href={parsePath(address).path + rest}>
      {children}
    </Link>
  );
}

const decodeEntities = (text: string) =>
  text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: "<", gt: ">", quot: '"' })[name] ?? "&");
