import { Emblem } from "@/components/ui/emblem";

/** The artwork of a category or vendor: the emblems of its products as a hand of cards. */
export function CollectionArt({ images, first = false }: { images: readonly string[]; first?: boolean }) {
  return (
    <div aria-hidden="true" className="collection-art">
      {images.map((src, i) => (
        <Emblem key={src} src={src} size={144} priority={first && i === 0} />
      ))}
    </div>
  );
}
