// Reads an SVG strictly and writes it again with nothing but the elements and attributes of the lists below
// (scripts/drawing/picture-process.mjs draws the result). What does not draw, such as scripts, is left out; what could take
// unlimited work, such as entities, patterns and filters, is refused by name.

/**
 * Limits of one drawing. Logos have a few hundred elements and some ten kilobytes. `work` counts the elements and letters
 * that are drawn, each as often as others name it.
 */
const LIMITS = {
  characters: 1_000_000,
  elements: 10_000,
  depth: 48,
  letters: 2_000,
  css: 50_000,
  work: 50_000,
};

const setOf = (words) => new Set(words.trim().split(/\s+/));
const ELEMENTS = setOf(
  `svg g a switch defs symbol use path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask style`,
);
/** Left out with everything inside: they draw nothing here, or only what is outside of the file. */
const SILENT = setOf(
  `script title desc metadata image foreignObject animate animateColor animateMotion animateTransform set mpath view
  cursor`,
);
const ATTRIBUTES = setOf(
  `version id class style width height viewBox preserveAspectRatio x y x1 y1 x2 y2 dx dy cx cy r rx ry fx fy fr d
  points pathLength transform gradientTransform gradientUnits spreadMethod offset href clipPathUnits maskUnits
  maskContentUnits clip-path clip-rule mask mask-type color display visibility overflow opacity fill fill-opacity
  fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
  stroke-width stop-color stop-opacity paint-order shape-rendering vector-effect isolation mix-blend-mode font-family
  font-size font-stretch font-style font-variant font-weight letter-spacing word-spacing text-anchor text-decoration
  textLength lengthAdjust rotate dominant-baseline alignment-baseline baseline-shift`,
);

/** A drawing that is refused: `what` names the part. */
export class RefusedSvg extends Error {
  constructor(error, what) {
    super(error);
    this.error = error;
    this.what = what;
  }
}

const refuse = (what) => {
  throw new RefusedSvg("vector", what);
};
const tooComplex = () => {
  throw new RefusedSvg("complex");
};
const broken = () => {
  throw new RefusedSvg("broken");
};

const TAG = /<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const ENTITY = /&([^;\s&]{0,20});?/g;
const CHARACTERS = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decodes the characters of a text in the file. Entities that the file declares are rejected. */
const decode = (text) =>
  text.replace(ENTITY, (entity, name) => {
    if (Object.hasOwn(CHARACTERS, name)) return CHARACTERS[name];
    const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? refuse(entity);
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
  });
const encode = (text) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/** The text of the file. Only UTF-8 is read. */
export function readText(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return broken();
  }
}

/** @throws RefusedSvg */
export function safeSvg(text) {
  if (text.length > LIMITS.characters) tooComplex();
  const output = [];
  /** Open elements; `kept` is false within what is left out. */
  const open = [];
  const count = { elements: 0, letters: 0 };
  let css = "";
  let root;
  let at = 0;
  const skip = (end) => {
    const to = text.indexOf(end, at);
    if (to < 0) broken();
    at = to + end.length;
  };
  while (at < text.length) {
    if (text.startsWith("<!--", at)) {
      skip("-->");
    } else if (text.startsWith("<?", at)) {
      if (/^<\?xml\s[^>]*encoding\s*=\s*["'](?!utf-?8["'])/i.test(text.slice(at, at + 200))) broken();
      skip("?>");
    } else if (text.startsWith("<![CDATA[", at)) {
      const from = at + "<![CDATA[".length;
      skip("]]>");
      addText(text.slice(from, at - "]]>".length));
    } else if (text.startsWith("<!", at)) {
      refuse(/^<!\w*/.exec(text.slice(at, at + 20))[0].slice(1));
    } else if (text[at] === "<") {
      TAG.lastIndex = at;
      const [, closes, name, attributes, isEmpty] = TAG.exec(text) ?? broken();
      at = TAG.lastIndex;
      if (!closes) openElement(name, attributes);
      if (closes || isEmpty) closeElement(name);
    } else {
      const next = text.indexOf("<", at);
      const to = next < 0 ? text.length : next;
      addText(decode(text.slice(at, to)));
      at = to;
    }
  }
  if (!root || open.length > 0) broken();
  checkWork(root, css);
  return output.join("");

  function openElement(name, attributes) {
    const parent = open.at(-1);
    if (parent ? false : root || name !== "svg") broken();
    if (++count.elements > LIMITS.elements || open.length >= LIMITS.depth) tooComplex();
    const kept = (parent?.kept ?? true) && !name.includes(":") && !SILENT.has(name);
    if (name === "image" && /href\s*=\s*["']\s*data:/i.test(attributes)) refuse("image");
    if (kept && !ELEMENTS.has(name)) refuse(name);
    const element = { name, kept, values: new Map(), children: [], work: 1 };
    if (!parent) root = element;
    else if (kept) parent.children.push(element);
    if (kept) {
      readAttributes(element, attributes);
      // librsvg reads `href` of SVG 2 everywhere, so that the prefix of XLink is not needed.
      const values = parent ? element.values : [["xmlns", "http://www.w3.org/2000/svg"], ...element.values];
      output.push(`<${name}${[...values].map(([key, value]) => ` ${key}="${encode(value)}"`).join("")}>`);
    }
    open.push(element);
  }

  function closeElement(name) {
    const element = open.pop();
    if (element?.name !== name) broken();
    if (element.kept) output.push(`</${name}>`);
  }

  function readAttributes(element, attributes) {
    for (const [, full, double, single] of attributes.matchAll(ATTRIBUTE)) {
      const value = decode(double ?? single);
      const name = full === "xlink:href" ? "href" : full;
      if (name === "xmlns" && value !== "http://www.w3.org/2000/svg") broken();
      if (!ATTRIBUTES.has(name)) continue;
      // A link shows what is in it; where it leads does not matter.
      if (name === "href" && element.name === "a") continue;
      if (name === "href" && !/^\s*#/.test(value)) refuse("href");
      checkStyle(value, name === "style");
      element.values.set(name, value);
    }
    element.work += attributes.length / 200;
  }

  function addText(piece) {
    const parent = open.at(-1);
    if (!parent && /[^\s\uFEFF]/.test(piece)) broken();
    if (!parent?.kept) return;
    if (parent.name === "style") {
      css += piece;
      if (css.length > LIMITS.css) tooComplex();
      if (piece.includes("@")) refuse("@");
      checkStyle(piece, true);
    } else {
      const { length } = piece.trim();
      parent.work += length;
      count.letters += length;
      if (count.letters > LIMITS.letters) tooComplex();
    }
    output.push(encode(piece));
  }
}

/** Only parts of the same file are named. */
function checkStyle(value, isCss) {
  if (value.includes("\\")) refuse("\\");
  for (const [, target] of value.matchAll(URL)) if (!target.startsWith("#")) refuse("url()");
  if (isCss && /filter\s*:/i.test(value)) refuse("filter");
}
const URL = /url\s*\(\s*["']?\s*([^)"'\s]*)/gi;

/**
 * Walks through everything that is drawn: what an element holds, and what it names, as often as it is named. A few lines
 * that name each other can unfold into millions of elements.
 */
function checkWork(root, css) {
  const byId = new Map();
  const collect = (element) => {
    byId.set(`#${element.values.get("id")}`, element);
    element.children.forEach(collect);
  };
  collect(root);
  const rules = readRules(css);
  const active = new Set();
  let work = 0;
  const walk = (element) => {
    // Drawing programs skip a part that names itself.
    if (!element || active.has(element)) return;
    work += element.work;
    if (work > LIMITS.work) tooComplex();
    active.add(element);
    element.children.forEach(walk);
    for (const target of targetsOf(element, rules)) walk(byId.get(target));
    active.delete(element);
  };
  walk(root);
}

/** The parts that an element names, in its attributes or by a rule of a style sheet. */
function targetsOf({ name, values }, rules) {
  const targets = [...values.values()].flatMap((value) =>
    [...value.matchAll(URL)].map(([, target]) => target),
  );
  if (values.has("href")) targets.push(values.get("href").trim());
  const names = new Set([name, `#${values.get("id")}`]);
  for (const word of (values.get("class") ?? "").split(/\s+/)) names.add(`.${word}`);
  for (const rule of rules) if (rule.anyone || names.has(rule.selector)) targets.push(...rule.targets);
  return targets;
}

/** The rules of a style sheet that name parts, by the last class, id or element of their selectors. */
function readRules(css) {
  return [...css.replace(/\/\*.*?\*\//gs, " ").matchAll(/([^{}]*)\{([^{}]*)/g)].flatMap(
    ([, selectors, body]) => {
      const targets = [...body.matchAll(URL)].map(([, target]) => target);
      if (targets.length === 0) return [];
      return selectors.split(",").map((selector) => {
        const [last] = /(?:^|[\s>+~])(?:[\w-]*[.#])?[\w-]+\s*$/.exec(selector) ?? [];
        return { targets, anyone: !last, selector: /[.#]?[\w-]+$/.exec(last?.trim() ?? "")?.[0] };
      });
    },
  );
}
