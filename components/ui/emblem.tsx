import { classNames } from "@/components/ui/class-names";
import { IMAGE_WIDTHS } from "@/lib/image-widths";

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
  const fitting = (density: number) => IMAGE_WIDTHS.find((width) => width >= size * density) ?? 960;
  return (
    // biome-ignore lint/performance/noImgElement: the shop renders its own sizes; next/image would render them again.
    <img
      src={at(fitting(1))}
      srcSet={sizes ? byWidth(at, size) : `${at(fitting(2))} 2x, ${at(fitting(3))} 3x`}
      sizes={sizes}
      width={size}
      height={size}
      alt={alt}
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : undefined}
      className={classNames("emblem", className)}
    />
  );
}

const byWidth = (at: (width: number) => string, size: number) =>
  IMAGE_WIDTHS.filter((width, i) => width >= size / 2 && (IMAGE_WIDTHS[i - 1] ?? 0) < size * 3)
    .map((width) => `${at(width)} ${width}w`)
    .join(", ");
