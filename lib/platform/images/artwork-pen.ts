/** What the forms of artwork are drawn with, on a field of 480 × 480 whose ground is already painted. Pure. */
export type Tones = { ground: string; soft: string; form: string; strong: string; spark: string };
export type Draw = { random: () => number; tones: Tones };

export const n = (x: number): string => String(Math.round(x * 10) / 10);
export const between = (random: () => number, low: number, high: number): number =>
  low + random() * (high - low);
export const whole = (random: () => number, low: number, high: number): number =>
  Math.floor(between(random, low, high + 1));
export const circle = (x: number, y: number, r: number, fill: string, more = ""): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}"${more}/>`;
export const rect = (x: number, y: number, w: number, h: number, fill: string, r = 0, more = ""): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" rx="${n(r)}" fill="${fill}"${more}/>`;
export const path = (d: string, fill: string, more = ""): string => `<path d="${d}" fill="${fill}"${more}/>`;
export const turn = (degrees: number, inner: string): string =>
  `<g transform="rotate(${n(degrees)} 240 240)">${inner}</g>`;
export const polar = (radius: number, degrees: number): [number, number] => {
  const a = ((degrees - 90) * Math.PI) / 180;
  return [240 + radius * Math.cos(a), 240 + radius * Math.sin(a)];
};
export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
