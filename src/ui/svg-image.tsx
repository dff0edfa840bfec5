/** An SVG from our server, shown as an image: a script inside it would not run. */
export function SvgImage({
  svg,
  alt = "",
  className = "size-full",
}: {
  svg: string;
  alt?: string;
  className?: string;
}) {
  return <img className={className} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={alt} />;
}
