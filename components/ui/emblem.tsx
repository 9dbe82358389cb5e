import { classNames } from "@/components/ui/class-names";
import { IMAGE_WIDTHS } from "@/lib/platform/images/widths";

/**
 * A square product image. `src` is its URL without the width ("/admin/product-image/12"), and the server defines the
 * widths. `size` is the largest displayed width in CSS pixels. `sizes` describes widths that vary much. `priority` is
 * for the one image in the first view. All others load lazily.
 */
export function Emblem({
  src,
  size,
  sizes,
  priority = false,
  className,
}: {
  src: string;
  size: number;
  sizes?: string;
  priority?: boolean;
  className?: string;
}) {
  const imageUrl = (width: number) => `${src}${src.includes("?") ? "&" : "?"}width=${width}`;
  const image = (
    // biome-ignore lint/performance/noImgElement: the shop renders its own sizes; next/image would render them again.
    <img
      src={imageUrl(closestWidth(size))}
      srcSet={sizes ? widthSrcSet(imageUrl, size) : densitySrcSet(imageUrl, size)}
      sizes={sizes}
      width={size}
      height={size}
      alt=""
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : undefined}
      className={classNames("emblem", className)}
    />
  );
  // React would add a preload with the density descriptors only, which would load a second image where 1x is shown.
  // The <picture> prevents it.
  return priority ? <picture className="contents">{image}</picture> : image;
}

const closestWidth = (pixels: number) => IMAGE_WIDTHS.find((width) => width >= pixels) ?? 960;

/** One width per pixel density, without duplicates. The list is short because lists contain many images. */
const densitySrcSet = (imageUrl: (width: number) => string, size: number) =>
  [2, 3]
    .filter((density) => closestWidth(size * (density - 1)) < 0.9 * size * density)
    .map((density) => `${imageUrl(closestWidth(size * density))} ${density}x`)
    .join(", ") || undefined;

const widthSrcSet = (imageUrl: (width: number) => string, size: number) =>
  IMAGE_WIDTHS.filter((width, i) => width >= size / 2 && (IMAGE_WIDTHS[i - 1] ?? 0) < size * 3)
    .map((width) => `${imageUrl(width)} ${width}w`)
    .join(", ");
