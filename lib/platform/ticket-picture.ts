import { LIFETIME_CUT, type Perforation } from "@/lib/platform/ticket";

/** On light and dark ground alike the holes have a contrast of 3:1. */
const RIM = "#8B8578";
/** The size of the picture in pixels: twice that at which it is shown. */
export const HOLES_SIZE = { width: 960, height: 32 } as const;
const { width: WIDTH, height: HEIGHT } = HOLES_SIZE;

/** The address of the picture of a perforation, for places without CSS such as emails. */
export const holesPath = ({ units, spent, present }: Perforation): string =>
  `/share-image/en/holes/${units === null ? "endless" : `${units}-${spent}${present === null ? "" : "p"}`}`;

/** Parses the perforation in an address; null for an invalid one. */
export function parseHoles(slug: string): Perforation | null {
  if (slug === "endless") return { units: null, spent: 0, present: null };
  const [, units, spent, present] = /^([1-9]\d?)-(0|[1-9]\d?)(p?)$/.exec(slug) ?? [];
  const [all, past] = [Number(units), Number(spent)];
  if (!units || all > 36 || past + (present ? 1 : 0) > all) return null;
  return { units: all, spent: past, present: present ? past : null };
}

/**
 * A row of holes as an SVG: rings, filled for spent units and half filled for the current one. The holes are drawn
 * instead of transparent, because a picture cannot show the ground behind it.
 */
export function holesSvg({ units, spent, present }: Perforation): string {
  const y = HEIGHT / 2;
  const svg = (shapes: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" fill="none" stroke="${RIM}" stroke-width="3">${shapes}</svg>`;
  if (units === null)
    return svg(`<path transform="translate(${WIDTH / 2 - 29} 0) scale(1.32)" d="${LIFETIME_CUT}"/>`);
  const pitch = WIDTH / units;
  const r = Math.min(11, pitch * 0.32);
  const hole = (index: number) => {
    const x = pitch * (index + 0.5);
    const ring = `<circle cx="${x}" cy="${y}" r="${r}"${index < spent ? ` fill="${RIM}"` : ""}/>`;
    if (index !== present) return ring;
    return `${ring}<path fill="${RIM}" d="M${x} ${y - r}a${r} ${r} 0 0 0 0 ${2 * r}Z"/>`;
  };
  return svg(Array.from({ length: units }, (_, index) => hole(index)).join(""));
}
