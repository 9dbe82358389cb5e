/** Forms of emblems that are made of circles. Large and few: an emblem must read at 48 pixels. */
import { between, circle, type Draw, n, path, polar, range, turn, whole } from "./artwork-pen";

/** Concentric rings, one quarter turned aside. */
export function rings({ random, tones }: Draw): string {
  const count = whole(random, 3, 5);
  const outer = between(random, 158, 190);
  const step = (outer - between(random, 4, 18)) / count;
  const colours = [tones.soft, tones.form, tones.strong, tones.spark];
  const discs = range(count)
    .map((i) => circle(240, 240, outer - i * step, colours[i % 4] ?? tones.form))
    .join("");
  const [dx, dy] = random() < 0.5 ? [1, -1] : [-1, 1];
  const quarter = `<clipPath id="q"><rect x="${dx > 0 ? 240 : 0}" y="${dy > 0 ? 240 : 0}" width="240" height="240"/></clipPath>`;
  const aside = range(count)
    .map((i) => circle(240, 240, outer - i * step, colours[(i + 1) % 4] ?? tones.form))
    .join("");
  return turn(whole(random, 0, 3) * 90, `${quarter}${discs}<g clip-path="url(#q)">${aside}</g>`);
}

/** Quarter circles in a grid of 2 × 2 or 3 × 3, turned so that curves meet. */
export function arcs({ random, tones }: Draw): string {
  const cells = random() < 0.55 ? 2 : 3;
  const size = 360 / cells;
  const colours = [tones.form, tones.strong, tones.soft, tones.form];
  return range(cells * cells)
    .map((i) => {
      const x = 60 + (i % cells) * size;
      const y = 60 + Math.floor(i / cells) * size;
      const corner = whole(random, 0, 3);
      const cx = corner === 1 || corner === 2 ? x + size : x;
      const cy = corner >= 2 ? y + size : y;
      const [ax, ay] = [cx === x ? x + size : x, cy];
      const [bx, by] = [cx, cy === y ? y + size : y];
      const sweep = (cx === x) === (cy === y) ? 1 : 0;
      const colour = i === cells ? tones.spark : (colours[whole(random, 0, 3)] ?? tones.form);
      return path(
        `M${n(cx)} ${n(cy)}L${n(ax)} ${n(ay)}A${n(size)} ${n(size)} 0 0 ${sweep} ${n(bx)} ${n(by)}Z`,
        colour,
      );
    })
    .join("");
}

/** A flower of see-through petals. */
export function petals({ random, tones }: Draw): string {
  const count = whole(random, 5, 8);
  const width = between(random, 50, 74) * (count > 6 ? 0.8 : 1);
  const start = random() * 90;
  const petal = (i: number, fill: string) =>
    `<ellipse cx="240" cy="138" rx="${n(width)}" ry="108" fill="${fill}" fill-opacity=".72" transform="rotate(${n(start + (i * 360) / count)} 240 240)"/>`;
  const flower = range(count)
    .map((i) => petal(i, i % 2 ? tones.strong : tones.form))
    .join("");
  return `${flower}${circle(240, 240, between(random, 26, 42), tones.spark)}`;
}

/** A moon on its way: one large crescent, or a row of phases. */
export function moons({ random, tones }: Draw): string {
  if (random() < 0.5) {
    const offset = between(random, 46, 92) * (random() < 0.5 ? -1 : 1);
    const moon = `${circle(240, 240, 168, tones.form)}${circle(240 + offset, 240 - Math.abs(offset) * 0.5, 132, tones.strong)}${circle(240 + offset * 1.5, 240 - Math.abs(offset) * 0.75, 92, tones.spark)}`;
    return moon;
  }
  const rows = whole(random, 2, 3);
  const r = rows === 2 ? 84 : 56;
  const lit = whole(random, 0, rows * rows - 1);
  const phases = range(rows * rows).map((i) => {
    const x = 240 + ((i % rows) - (rows - 1) / 2) * r * 2.2;
    const y = 240 + (Math.floor(i / rows) - (rows - 1) / 2) * r * 2.2;
    const phase = (i / (rows * rows - 1)) * 2 - 1;
    const face = `M${n(x)} ${n(y - r)}A${n(r)} ${n(r)} 0 0 1 ${n(x)} ${n(y + r)}A${n(Math.abs(phase) * r)} ${n(r)} 0 0 ${phase < 0 ? 0 : 1} ${n(x)} ${n(y - r)}Z`;
    return circle(x, y, r, tones.strong) + path(face, i === lit ? tones.spark : tones.form);
  });
  return turn(
    whole(random, 0, 7) * 45,
    `<g transform="translate(240 240) scale(.92) translate(-240 -240)">${phases.join("")}</g>`,
  );
}

/** A lattice whose knots grow towards one side. */
export function lattice({ random, tones }: Draw): string {
  const count = whole(random, 4, 5);
  const step = 340 / (count - 1);
  const toward = [whole(random, 0, count - 1), whole(random, 0, count - 1)] as const;
  return range(count * count)
    .map((i) => {
      const [cx, cy] = [i % count, Math.floor(i / count)];
      const far = Math.hypot(cx - toward[0], cy - toward[1]) / (count * 1.15);
      const r = step * 0.5 * Math.max(0.16, 1 - far);
      const colour = far < 0.12 ? tones.spark : far < 0.5 ? tones.strong : tones.form;
      return circle(70 + cx * step, 70 + cy * step, r, colour);
    })
    .join("");
}

/** Half discs, stacked like a sun over its reflections. */
export function horizons({ random, tones }: Draw): string {
  const r = between(random, 138, 152);
  const flip = random() < 0.5 ? 1 : 0;
  const half = (x: number, y: number, radius: number, up: number, fill: string) =>
    path(`M${n(x - radius)} ${n(y)}A${n(radius)} ${n(radius)} 0 0 ${up} ${n(x + radius)} ${n(y)}Z`, fill);
  const shift = between(random, 12, 84) * (random() < 0.5 ? -1 : 1);
  return turn(
    whole(random, 0, 3) * 90,
    half(240 - shift, 234, r, 1, tones.form) +
      half(240 + shift, 246, r, 0, tones.strong) +
      half(240 - shift, 234, r * 0.5, 1, flip ? tones.spark : tones.soft) +
      half(240 + shift, 246, r * 0.5, 0, flip ? tones.soft : tones.spark),
  );
}

/** A body, its orbit and a moon. */
export function orbits({ random, tones }: Draw): string {
  const tilt = between(random, -50, 50);
  const ry = between(random, 58, 96);
  const ring = (fill: string, clip: string) =>
    `<ellipse cx="240" cy="240" rx="196" ry="${n(ry)}" fill="none" stroke="${fill}" stroke-width="26"${clip}/>`;
  return turn(
    tilt,
    `<clipPath id="f"><rect x="0" y="240" width="480" height="240"/></clipPath>` +
      ring(tones.strong, "") +
      circle(240, 240, between(random, 104, 126), tones.form) +
      ring(tones.strong, ` clip-path="url(#f)"`) +
      circle(240 + 196 * (random() < 0.5 ? 1 : -1), 240, 34, tones.spark),
  );
}

/** Blades of an iris. */
export function iris({ random, tones }: Draw): string {
  const count = whole(random, 5, 8);
  const step = 360 / count;
  const twist = between(random, 46, 74);
  const hole = between(random, 40, 66);
  const colours = count % 2 ? [tones.form, tones.strong, tones.soft] : [tones.form, tones.strong];
  const blades = range(count).map((i) => {
    const a = i * step;
    const [x1, y1] = polar(182, a);
    const [x2, y2] = polar(182, a + step);
    const [x3, y3] = polar(hole, a + step + twist);
    const [x4, y4] = polar(hole, a + twist);
    const fill = i === 0 ? tones.spark : (colours[i % colours.length] ?? tones.form);
    return path(
      `M${n(x1)} ${n(y1)}A182 182 0 0 1 ${n(x2)} ${n(y2)}L${n(x3)} ${n(y3)}L${n(x4)} ${n(y4)}Z`,
      fill,
    );
  });
  return turn(random() * step * 2, blades.join(""));
}

/** Discs on a spiral, small to large. */
export function spiral({ random, tones }: Draw): string {
  const way = random() < 0.5 ? 1 : -1;
  const start = random() * 360;
  const count = whole(random, 9, 12);
  return range(count)
    .map((i) => {
      const t = i / (count - 1);
      const [x, y] = polar(34 + 118 * t, start + way * i * 52);
      return circle(x, y, 18 + 48 * t, i === count - 1 ? tones.spark : i % 2 ? tones.strong : tones.form);
    })
    .join("");
}

/** Two or three discs that share ground. */
export function lenses({ random, tones }: Draw): string {
  const three = random() < 0.5;
  const r = three ? 112 : 134;
  const away = three ? 78 : 82;
  const start = random() * 360;
  const count = three ? 3 : 2;
  const places = range(count).map((i) => polar(away, start + (i * 360) / count));
  const fills = [tones.form, tones.strong, tones.spark];
  return (
    places.map(([x, y], i) => circle(x, y, r, fills[i] ?? tones.form, ` fill-opacity=".8"`)).join("") +
    circle(240, 240, three ? 34 : 46, tones.spark)
  );
}
