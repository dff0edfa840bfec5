import type { Formats } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { FabricName } from "./fabric.tsx";

const ranks: Record<string, number> = { cotton: 1, silk: 2, cashmere: 3 };

/** The address of a picture of the brand's, without the ending `.avif` or `.jpg`; none where the brand has none. */
function pictureAddress({ pictures: [version, ...slots] }: Formats, slot: string): string | undefined {
  return slots.includes(slot) ? `/assets/brand/${slot}-${version}` : undefined;
}

export const emailPicture = (formats: Formats, fabric: FabricName) => pictureAddress(formats, `email-${ranks[fabric]}`);

/**
 * A picture of the brand's that fills its positioned parent, on its own colour, which is all there is where the brand has no
 * picture. Decoration: it has no words for readers, and is hidden where the reader's colours replace ours.
 */
export function Drape({
  name,
  first,
}: {
  name: `${FabricName}-${"tile" | "square"}` | "silk-hero" | "cashmere-wide";
  /** Above the fold. */
  first?: boolean;
}) {
  const { formats } = useTexts();
  const [fabric = "", kind = ""] = name.split("-");
  const slot = { hero: "home", wide: "wide" }[kind] ?? `${kind}-${ranks[fabric]}`;
  const file = pictureAddress(formats, slot);
  return (
    <picture className={`drape drape-${fabric}`}>
      {file && <source type="image/avif" srcSet={`${file}.avif`} />}
      {file && <img src={`${file}.jpg`} alt="" {...(first ? { fetchPriority: "high" } : { loading: "lazy" })} />}
    </picture>
  );
}
