import type { FabricName } from "./fabric.tsx";

/** By which the files are named: they are cached for good, so other pictures need other names. */
const version = 2;

/** Its address without the ending: `.avif` or `.jpg`. */
export const clothFile = (name: string) => `/assets/cloth/${name}-${version}`;

/**
 * A picture of draped cloth that fills its positioned parent, on its own colour until it is there; `scripts/cloth/make.sh`
 * makes them. Decoration: it has no words for readers, and is hidden where the reader's colours replace ours.
 */
export function Drape({
  name,
  first,
}: {
  name: `${FabricName}-${"tile" | "square"}` | "silk-hero" | "cashmere-wide";
  /** Above the fold. */
  first?: boolean;
}) {
  const file = clothFile(name);
  return (
    <picture className={`drape drape-${name.split("-")[0]}`}>
      <source type="image/avif" srcSet={`${file}.avif`} />
      <img src={`${file}.jpg`} alt="" {...(first ? { fetchPriority: "high" } : { loading: "lazy" })} />
    </picture>
  );
}
