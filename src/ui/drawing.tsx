/** A drawing that our server made, shown as a picture: whatever it holds, nothing in it can run. */
export function Drawing({ svg, alt = "", className = "size-full" }: { svg: string; alt?: string; className?: string }) {
  return <img className={className} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={alt} />;
}
