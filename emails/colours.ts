/**
 * The colours of docs/product.md#12-look for email clients: light inline, because every client supports that, dark by
 * class in a media query. No colour has six digits, so that programs that look for a verification code find only the code.
 */
export const LIGHT = {
  paper: "#FBF9F4",
  raised: "#FFFFFF",
  sunk: "#F3EFE6",
  ink: "#16141C",
  quiet: "#5C5866",
  hairline: "#E6E1D6",
  accent: "#C2410C",
  accentInk: "#FFFFFF",
} as const;

const DARK = {
  paper: "rgb(18,17,22)",
  raised: "#1B1A21",
  sunk: "#0C0B10",
  ink: "#F4F1EA",
  quiet: "#A8A3B3",
  hairline: "#2E2C36",
  accent: "#FF8A5B",
  accentInk: "rgb(18,17,22)",
} as const;

/** react-email repeats the body's colours on a wrapping cell, which has no class. */
const GROUND = ".paper>table>tbody>tr>td";

const DARK_RULES: readonly (readonly [selector: string, declarations: string])[] = [
  [".paper", `background-color:${DARK.paper}!important`],
  [GROUND, `background-color:${DARK.paper}!important`],
  [".raised", `background-color:${DARK.raised}!important`],
  [".sunk", `background-color:${DARK.sunk}!important`],
  [".ink", `color:${DARK.ink}!important`],
  [".quiet", `color:${DARK.quiet}!important`],
  [".edge", `border-color:${DARK.hairline}!important`],
  [".act", `background-color:${DARK.accent}!important;color:${DARK.accentInk}!important`],
];

/** `prefers-color-scheme` for clients that support it, `[data-ogsc]` for Outlook's own dark mode. */
export const DARK_CSS = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){${DARK_RULES.map(([selector, css]) => `${selector}{${css}}`).join("")}}
${DARK_RULES.map(([selector, css]) => `[data-ogsc] ${selector}{${css}}`).join("")}`;
