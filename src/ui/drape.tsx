import cashmereSquare from "./cloth/cashmere-square.avif";
import cashmereSquareJpg from "./cloth/cashmere-square.jpg";
import cashmereTile from "./cloth/cashmere-tile.avif";
import cashmereTileJpg from "./cloth/cashmere-tile.jpg";
import cashmereWide from "./cloth/cashmere-wide.avif";
import cashmereWideJpg from "./cloth/cashmere-wide.jpg";
import cottonSquare from "./cloth/cotton-square.avif";
import cottonSquareJpg from "./cloth/cotton-square.jpg";
import cottonTile from "./cloth/cotton-tile.avif";
import cottonTileJpg from "./cloth/cotton-tile.jpg";
import silkHero from "./cloth/silk-hero.avif";
import silkHeroJpg from "./cloth/silk-hero.jpg";
import silkSquare from "./cloth/silk-square.avif";
import silkSquareJpg from "./cloth/silk-square.jpg";
import silkTile from "./cloth/silk-tile.avif";
import silkTileJpg from "./cloth/silk-tile.jpg";

/** The pictures that `scripts/cloth/make.sh` makes: AVIF, JPEG for browsers without it, width and height. */
const pictures = {
  "silk-hero": [silkHero, silkHeroJpg, 1000, 912],
  "cotton-tile": [cottonTile, cottonTileJpg, 760, 874],
  "silk-tile": [silkTile, silkTileJpg, 760, 874],
  "cashmere-tile": [cashmereTile, cashmereTileJpg, 760, 874],
  "cashmere-wide": [cashmereWide, cashmereWideJpg, 1600, 520],
  "cotton-square": [cottonSquare, cottonSquareJpg, 144, 144],
  "silk-square": [silkSquare, silkSquareJpg, 144, 144],
  "cashmere-square": [cashmereSquare, cashmereSquareJpg, 144, 144],
} as const;

/**
 * A picture of draped cloth that fills its positioned parent, on its own colour until it is there. Decoration: it has no
 * words for readers, and is hidden where the reader's colours replace ours.
 */
export function Drape({ name, first }: { name: keyof typeof pictures; first?: boolean }) {
  const [avif, jpeg, width, height] = pictures[name];
  return (
    <picture className={`drape drape-${name.split("-")[0]}`}>
      <source type="image/avif" srcSet={avif} />
      <img
        src={jpeg}
        alt=""
        width={width}
        height={height}
        {...(first ? { fetchPriority: "high" } : { loading: "lazy" })}
        decoding="async"
      />
    </picture>
  );
}
