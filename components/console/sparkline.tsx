/** A line of 24 pixels without scale or labels: the shape of a figure that stands beside it. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.map((value) => value ?? 0);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => Math.round((index / Math.max(1, known.length - 1)) * 960) / 10;
  const y = (value: number) =>
    high === low ? 12 : Math.round((22 - ((value - low) / (high - low)) * 20) * 10) / 10;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 96 24"
      preserveAspectRatio="none"
      height="24"
      className="block w-full overflow-visible"
    >
      <polyline
        points={known.map((value, index) => `${x(index)},${y(value)}`).join(" ")}
        className="fill-none stroke-ink"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
