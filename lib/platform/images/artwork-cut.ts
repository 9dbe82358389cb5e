/** Forms of emblems that are cut from straight edges and bands. Large and few, as in artwork-round.ts. */
import { between, circle, type Draw, n, path, range, rect, turn, whole } from "./artwork-pen";

/** Rounded bars of one height and many lengths. */
export function bars({ random, tones }: Draw): string {
  const count = whole(random, 4, 5);
  const gap = 14;
  const height = (336 - gap * (count - 1)) / count;
  const marked = whole(random, 0, count - 1);
  const centred = random() < 0.4;
  const inner = range(count)
    .map((i) => {
      const width = between(random, 130, 340);
      const x = centred ? 240 - width / 2 : random() < 0.7 ? 70 : 410 - width;
      const colour = i === marked ? tones.spark : i % 2 ? tones.strong : tones.form;
      return rect(x, 72 + i * (height + gap), width, height, colour, height / 2);
    })
    .join("");
  return turn([0, 90, -45, 0][whole(random, 0, 3)] ?? 0, inner);
}

/** Bands that pass over and under each other. */
export function weave({ random, tones }: Draw): string {
  const count = whole(random, 2, 3);
  const gap = count === 2 ? 44 : 26;
  const band = (350 - gap * (count - 1)) / count;
  const at = (i: number) => 65 + i * (band + gap);
  const across = range(count)
    .map((i) => rect(30, at(i), 420, band, tones.form, 16))
    .join("");
  const down = range(count)
    .map((i) => rect(at(i), 30, band, 420, tones.strong, 16))
    .join("");
  const overs = range(count * count)
    .filter((i) => (Math.floor(i / count) + (i % count)) % 2 === 0)
    .map((i) => rect(at(i % count) - gap / 2, at(Math.floor(i / count)), band + gap, band, tones.form))
    .join("");
  const knot = circle(at(count - 1) + band / 2, at(0) + band / 2, band * 0.2, tones.spark);
  return turn(
    random() < 0.6 ? 45 : 0,
    `<g transform="translate(240 240) scale(.86) translate(-240 -240)">${across}${down}${overs}${knot}</g>`,
  );
}

/** A folded sheet: planes that share edges. */
export function folds({ random, tones }: Draw): string {
  const x = between(random, 190, 290);
  const y = between(random, 200, 280);
  const corners: [number, number][] = [
    [240, 56],
    [between(random, 396, 424), between(random, 170, 210)],
    [between(random, 340, 372), 412],
    [between(random, 108, 140), 412],
    [between(random, 56, 84), between(random, 170, 210)],
  ];
  const colours = [tones.form, tones.strong, tones.soft, tones.form, tones.spark];
  const first = whole(random, 0, 4);
  const planes = corners
    .map((a, i) => {
      const b = corners[(i + 1) % 5] ?? a;
      return path(
        `M${n(a[0])} ${n(a[1])}L${n(b[0])} ${n(b[1])}L${n(x)} ${n(y)}Z`,
        colours[(i + first) % 5] ?? tones.form,
        i % 2 ? "" : ` fill-opacity=".9"`,
      );
    })
    .join("");
  return turn(whole(random, 0, 4) * 72, planes);
}

/** Waves rising over one another. */
export function waves({ random, tones }: Draw): string {
  const count = whole(random, 3, 4);
  const colours = [tones.soft, tones.form, tones.strong, tones.spark];
  const length = between(random, 200, 330);
  const layers = range(count).map((i) => {
    const y = 150 + (i * 250) / count;
    const high = between(random, 34, 58);
    const from = -length * random();
    let d = `M${n(from - length)} ${n(y)}`;
    for (let x = from - length; x < 480 + length; x += length)
      d += `q${n(length / 4)} ${n(-high * 2)} ${n(length / 2)} 0t${n(length / 2)} 0`;
    return path(`${d}V480H${n(from - length)}Z`, colours[count === 3 && i === 2 ? 2 : i] ?? tones.form);
  });
  return `${circle(between(random, 130, 350), 118, between(random, 44, 62), tones.spark)}${layers.join("")}`;
}

/** Cubes seen from a corner. */
export function blocks({ random, tones }: Draw): string {
  const single = random() < 0.35;
  const s = single ? 172 : 96;
  const cube = (x: number, y: number, top: string): string => {
    const w = s * 0.866;
    const h = s / 2;
    return (
      path(`M${n(x)} ${n(y)}l${n(w)} ${n(-h)}l${n(w)} ${n(h)}l${n(-w)} ${n(h)}Z`, top) +
      path(`M${n(x)} ${n(y)}l${n(w)} ${n(h)}v${n(s)}l${n(-w)} ${n(-h)}Z`, tones.form) +
      path(`M${n(x + 2 * w)} ${n(y)}l${n(-w)} ${n(h)}v${n(s)}l${n(w)} ${n(-h)}Z`, tones.strong)
    );
  };
  const lean = whole(random, 0, 5) * 60 + (random() < 0.3 ? 30 : 0);
  if (single)
    return turn(
      lean,
      cube(240 - s * 0.866, 240 - s / 2, tones.spark) +
        circle(240, 240, between(random, 22, 60), random() < 0.5 ? tones.ground : tones.soft),
    );
  const w = s * 0.866;
  const places: [number, number][] = [
    [240 - w, 240 - s * 1.25],
    [240 - 2 * w, 240 + s * 0.25],
    [240, 240 + s * 0.25],
  ];
  const lit = whole(random, 0, 2);
  const pile = places
    .sort((a, b) => a[1] - b[1])
    .map(([x, y], i) => cube(x, y - s / 4, i === lit ? tones.spark : tones.soft))
    .join("");
  return turn(lean, pile);
}

/** A fan of rays from one corner. */
export function rays({ random, tones }: Draw): string {
  const count = whole(random, 5, 7);
  const colours = [tones.form, tones.strong, tones.soft];
  const marked = whole(random, 1, count - 2);
  const blades = range(count).map((i) => {
    const a = (i * 90) / count;
    const at = (degrees: number) => [
      72 + 372 * Math.sin((degrees * Math.PI) / 180),
      408 - 372 * Math.cos((degrees * Math.PI) / 180),
    ];
    const [x1 = 0, y1 = 0] = at(a);
    const [x2 = 0, y2 = 0] = at(a + 90 / count);
    return path(
      `M72 408L${n(x1)} ${n(y1)}A372 372 0 0 1 ${n(x2)} ${n(y2)}Z`,
      i === marked ? tones.spark : (colours[i % 3] ?? tones.form),
    );
  });
  return turn(
    whole(random, 0, 3) * 90,
    `${blades.join("")}${path("M69 411V278A130 130 0 0 1 202 411Z", tones.ground)}`,
  );
}

/** Nested arches, a doorway. */
export function arches({ random, tones }: Draw): string {
  const count = whole(random, 3, 4);
  const colours = [tones.form, tones.strong, tones.soft, tones.spark];
  const wide = between(random, 128, 172);
  const high = between(random, 60, 104);
  const slim = between(random, 0.05, 0.8);
  const inner = range(count)
    .map((i) => {
      const w = wide - (i * wide) / (count + slim);
      const top = high + (wide - w);
      return path(
        `M${n(240 - w)} 414V${n(top + w)}A${n(w)} ${n(w)} 0 0 1 ${n(240 + w)} ${n(top + w)}V414Z`,
        i === count - 1 ? tones.spark : (colours[i] ?? tones.form),
      );
    })
    .join("");
  return turn([0, 90, 180, 270][whole(random, 0, 3)] ?? 0, inner);
}

/** Steps that climb. */
export function steps({ random, tones }: Draw): string {
  const count = whole(random, 3, 5);
  const w = 344 / count;
  const marked = whole(random, 0, count - 1);
  const mirrored = random() < 0.5;
  const inner = range(count)
    .map((i) => {
      const h = 90 + ((254 * (i + 1)) / count) * between(random, 0.86, 1);
      const x = 68 + i * w;
      const fill = i % 2 ? tones.strong : tones.form;
      const r = w / 2 - 4;
      const top = 412 - h;
      return (
        path(
          `M${n(x + 4)} 412V${n(top + r)}A${n(r)} ${n(r)} 0 0 1 ${n(x + w - 4)} ${n(top + r)}V412Z`,
          fill,
        ) + (i === marked ? circle(x + w / 2, top + r, r * 0.52, tones.spark) : "")
      );
    })
    .join("");
  return mirrored ? `<g transform="translate(480 0) scale(-1 1)">${inner}</g>` : inner;
}
