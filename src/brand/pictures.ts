import type { Formats } from "#i18n/texts.ts";

/** The address of a picture of the brand's, without its ending; none where the brand has none. */
export function pictureAddress({ pictures: [version, ...slots] }: Formats, slot: string): string | undefined {
  return slots.includes(slot) ? `/assets/brand/${slot}-${version}` : undefined;
}
