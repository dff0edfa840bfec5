import type { ReactNode } from "react";
import { pictureAddress } from "#brand/pictures.ts";
import type { Formats } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { type FabricName, fabrics } from "./fabric.tsx";

const rankOf = (fabric: FabricName) => fabrics.indexOf(fabric) + 1;

export const emailPicture = (formats: Formats, fabric: FabricName, rank = 0) =>
  pictureAddress(formats, `email-${rank}`) ?? pictureAddress(formats, `email-${rankOf(fabric)}`);

/**
 * A picture of the brand's that fills its positioned parent, on its own colour, which is all there is where the brand has no
 * picture. Decoration: it has no words for readers, and is hidden where the reader's colours replace ours.
 */
export function Drape({
  name,
  still,
  own,
  first,
  children,
}: {
  /** The cloth, and where it is: `hero` and `wide` go to the edge of the page. */
  name: `${FabricName}-${"tile" | "square" | "hero"}` | "cashmere-wide";
  /** In place of the cloth an object, by its number; where the brand has none, the cloth. */
  still?: number;
  /** A brand may have a picture for this place alone: `sign-in`, `join`, `empty`, an object as a small square, such as `small-2`, or that of one status, such as `tile-4`. */
  own?: string;
  /** Above the fold. */
  first?: boolean;
  /** A source that goes before it, as on narrow screens: only the one that is shown is loaded. */
  children?: ReactNode;
}) {
  const { formats } = useTexts();
  const [fabric, kind = ""] = name.split("-") as [FabricName, string];
  const slot = { hero: "home", wide: "wide" }[kind] ?? `${kind}-${rankOf(fabric)}`;
  const file = [own, `still-${still}`, slot].map((one) => one && pictureAddress(formats, one)).find(Boolean);
  return (
    <picture className={`drape drape-${fabric} drape-${kind}`}>
      {children}
      {file && <source type="image/avif" srcSet={`${file}.avif`} />}
      {file && <img src={`${file}.jpg`} alt="" {...(first ? { fetchPriority: "high" } : { loading: "lazy" })} />}
    </picture>
  );
}
