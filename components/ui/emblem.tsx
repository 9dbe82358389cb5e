import { classNames } from "@/components/ui/class-names";
import { IMAGE_WIDTHS } from "@/lib/platform/images/widths";

/**
 * A square emblem. `src` is its address without the width ("/admin/product-image/12"); the widths are
 * the server's. `size` is the largest width in CSS pixels it is shown at; `sizes` says more if it
 * varies much. `priority` is for the one picture of the first view, all others load when they come near.
 */
export function Emblem({
  src,
  size,
  sizes,
  alt = "",
  priority = false,
  className,
}: {
  src: string;
  size: number;
  sizes?: string;
  alt?: string;
  priority?: boolean;
  className?: string;
}) {
  const at = (width: number) => `${src}${src.includes("?") ? "&" : "?"}width=${width}`;
  const image = (
    // biome-ignore lint/performance/noImgElement: the shop renders its own sizes; next/image would render them again.
    <img
      src={at(fitting(size))}
      srcSet={sizes ? byWidth(at, size) : byDensity(at, size)}
      sizes={sizes}
      width={size}
      height={size}
      alt={alt}
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : undefined}
      className={classNames("emblem", className)}
    />
  );
  // React would write a preload into the head, but of the densities alone: a second picture where 1x is shown.
  return priority ? <picture className="contents">{image}</picture> : image;
}

const fitting = (pixels: number) => IMAGE_WIDTHS.find((width) => width >= pixels) ?? 960;

/** A width for each density whose pixels the one before has not: short, for lists hold many pictures. */
const byDensity = (at: (width: number) => string, size: number) =>
  [2, 3]
    .filter((density) => fitting(size * (density - 1)) < 0.9 * size * density)
    .map((density) => `${at(fitting(size * density))} ${density}x`)
    .join(", ") || undefined;

const byWidth = (at: (width: number) => string, size: number) =>
  IMAGE_WIDTHS.filter((width, i) => width >= size / 2 && (IMAGE_WIDTHS[i - 1] ?? 0) < size * 3)
    .map((width) => `${at(width)} ${width}w`)
    .join(", ");
